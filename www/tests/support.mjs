// An origin with the page, and a browser that notes whatever a visitor would never see: errors, violations of the
// policy, requests that leave the origin.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { chromium } from "playwright-core";

const setting = (name) => process.env[name] ?? assert.fail(`${name} is not set: run cargo xtask test page`);

export const samples = setting("TINTYPE_SAMPLES");
export const builds = { page: setting("TINTYPE_PAGE_BUILD"), crash: setting("TINTYPE_PAGE_CRASH") };
export const screenshots = setting("TINTYPE_SCREENSHOTS");

export const LAPTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

// What Chromium asks Google for on its own is none of the page's doing.
const QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
  "--disable-background-networking", "--disable-component-update"];

/** A sample's bytes. */
export const sample = (name) => fs.readFileSync(path.join(samples, name));

/** The command line's thumbnail of a sample. */
export function thumb(name, ...options) {
  const args = ["thumb", path.join(samples, name), "-", ...options];
  return execFileSync(setting("TINTYPE_ORIGIN"), args, { maxBuffer: 1 << 28 });
}

/** An origin that serves the samples, and a build of the page. */
export async function startOrigin(page = builds.page, ...more) {
  const args = ["serve", "--root", samples, "--page", page, "--listen", "127.0.0.1:0", ...more];
  const child = spawn(setting("TINTYPE_ORIGIN"), args, { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of readline.createInterface({ input: child.stdout })) {
    const said = /^listening on (\S+)$/.exec(line);
    if (said) return { url: said[1], stop: () => child.kill("SIGKILL") };
  }
  throw new Error("the origin did not start");
}

export const startBrowser = () => chromium.launch({ executablePath: setting("CHROMIUM"), args: QUIET });

/** Opens the page; `faults` collects what must not happen. */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: LAPTOP, ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`uncaught: ${error}`));
  context.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== "blob:" && protocol !== "data:" && origin !== new URL(url).origin) faults.push(`left: ${request.url()}`);
  });
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
  });
  await page.goto(url);
  return { page, context, faults };
}

/** Waits until the thumbnail is that of this target. */
export async function settled(page, target) {
  await page.waitForFunction((wanted) => {
    const stage = document.getElementById("thumbnail-stage");
    const image = document.getElementById("thumbnail");
    const shown = !stage.classList.contains("busy") && !image.hidden && image.complete;
    return shown && document.getElementById("url").value === location.origin + wanted;
  }, target);
}

/** The bytes of the thumbnail that is shown, as a visitor saves them; and the name they are saved under. */
export async function save(page) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
  return { bytes: fs.readFileSync(await download.path()), name: download.suggestedFilename() };
}

/** Pixels of the thumbnail as the browser decodes it: `[[x, y], …]` to `[[r, g, b, a], …]`, and its size. */
export function shownPixels(page, places) {
  return page.evaluate(async (at) => {
    const image = document.getElementById("thumbnail");
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    const pixels = at.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data]);
    return { width: canvas.width, height: canvas.height, pixels };
  }, places);
}

/** Drops a file onto the page, as a person would onto `#drop`. */
export async function drop(page, name, type, bytes) {
  const transfer = await page.evaluateHandle(
    ([name, type, base64]) => {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], name, { type }));
      return transfer;
    },
    [name, type, Buffer.from(bytes).toString("base64")],
  );
  await page.dispatchEvent("#drop", "dragover", { dataTransfer: transfer });
  await page.dispatchEvent("#drop", "drop", { dataTransfer: transfer });
}

export const text = (page, id) => page.locator(`#${id}`).innerText();

/** Waits for the badge's verdict. */
export async function verdict(page) {
  await page.waitForFunction(() => document.getElementById("badge").dataset.state !== "asking");
  return page.locator("#badge").getAttribute("data-state");
}
