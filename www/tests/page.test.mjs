// The page as a visitor has it: a picture in, options changed, a thumbnail with the origin's own bytes out.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { after, before, test } from "node:test";
import {
  LAPTOP, PHONE, builds, drop, open, sample, save, screenshots, settled, shownPixels, startBrowser, startOrigin, text,
  thumb, verdict,
} from "./support.mjs";

const FIRST = "/img/landscape.jpg?w=400";

let browser;
let origin;

before(async () => {
  [browser, origin] = await Promise.all([startBrowser(), startOrigin()]);
  fs.mkdirSync(screenshots, { recursive: true });
});

after(async () => {
  await browser?.close();
  origin?.stop();
});

const opened = async (options) => {
  const visit = await open(browser, `${origin.url}/`, options);
  await settled(visit.page, FIRST);
  return visit;
};

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** Fills a field as typing does. */
const type = (page, name, value) => page.fill(`[name=${name}]`, value);

/** What the origin answers to the address that the page shows. */
async function originsBytes(page) {
  const answer = await fetch(await page.inputValue("#url"), { headers: { accept: "image/webp,*/*" } });
  assert.equal(answer.status, 200);
  return Buffer.from(await answer.arrayBuffer());
}

/** The badge says what is so, whichever that is. */
async function assertBadgeIsTrue(page) {
  const [said, { bytes: ours }, theirs] = [await verdict(page), await save(page), await originsBytes(page)];
  assert.equal(said, ours.equals(theirs) ? "same" : "different");
  const hashes = await page.locator("#badge .hash").evaluateAll((all) => all.map((hash) => hash.title));
  assert.deepEqual(hashes, said === "same" ? [sha256(ours)] : [sha256(ours), sha256(theirs)]);
  return said;
}

test("it starts with a sample, in peace", async () => {
  const { page, context, faults } = await opened();
  await verdict(page);
  assert.match(await text(page, "original-facts"), /^1920 × 1280, JPEG, \d+ kB$/);
  assert.match(await text(page, "thumbnail-facts"), /^400 × 267, WebP, [\d.]+ kB$/);
  assert.match(await text(page, "time"), /^[\d.]+ m?s$/);
  const values = (name) => page.locator(`[name=${name}] option`).evaluateAll((all) => all.map((option) => option.value));
  assert.deepEqual((await values("fit")).slice(0, 3), ["scale-down", "contain", "cover"]);
  assert.deepEqual((await values("f")).slice(0, 2), ["auto", "webp"]);
  assert.deepEqual(faults, []);
  await context.close();
});

test("samples have the origin's and the command line's bytes", async () => {
  const { page, context, faults } = await opened();
  for (const name of await page.locator("[data-sample]").evaluateAll((all) => all.map((one) => one.dataset.sample))) {
    await page.click(`[data-sample="${name}"]`);
    for (const format of ["jpeg", "png"]) {
      await page.selectOption("[name=f]", format);
      await settled(page, `/img/${name}?f=${format}&w=400`);
      assert.equal(await assertBadgeIsTrue(page), "same", `${name} as ${format}`);
      const { bytes, name: saved } = await save(page);
      assert.ok(bytes.equals(thumb(name, "-w", "400", "-f", format)), `${name} as ${format}: the command line's differ`);
      assert.equal(saved, `${name.split(".")[0]}.${format === "jpeg" ? "jpg" : "png"}`);
    }
  }
  assert.deepEqual(faults, []);
  await context.close();
});

test("lossless WebP has the origin's bytes", async () => {
  const { page, context, faults } = await opened();
  await page.selectOption("[name=f]", "webp");
  await page.fill("#quality", "100");
  await settled(page, "/img/landscape.jpg?f=webp&q=100&w=400");
  assert.equal(await assertBadgeIsTrue(page), "same");
  await page.click("#quality-reset");
  await settled(page, "/img/landscape.jpg?f=webp&w=400");
  assert.deepEqual(faults, []);
  await context.close();
});

test("lossy WebP is the same here and there", async () => {
  const { page, context, faults } = await opened();
  for (const name of ["landscape.jpg", "graphic.png"]) {
    await page.click(`[data-sample="${name}"]`);
    for (const [format, query] of [["auto", ""], ["webp", "f=webp&"]]) {
      await page.selectOption("[name=f]", format);
      await settled(page, `/img/${name}?${query}w=400`);
      assert.equal(await assertBadgeIsTrue(page), "same", `${name} as ${format}`);
    }
  }
  assert.deepEqual(faults, []);
  await context.close();
});

test("options change the picture", async () => {
  const { page, context, faults } = await opened();
  await page.click('[data-sample="graphic.png"]');
  await page.selectOption("[name=f]", "png");
  await type(page, "w", "300");
  await settled(page, "/img/graphic.png?f=png&w=300");
  // Where the colours are, the shared list of HTTP cases says too.
  const near = (pixel, wanted) => pixel.every((value, channel) => Math.abs(value - [...wanted, 255][channel]) <= 14);
  let shown = await shownPixels(page, [[5, 5], [5, 195], [39, 160], [153, 150]]);
  assert.deepEqual([shown.width, shown.height], [300, 200]);
  for (const [place, wanted] of [[34, 42, 56], [250, 247, 240], [200, 85, 61], [53, 74, 110]].entries()) {
    assert.ok(near(shown.pixels[place], wanted), `${shown.pixels[place]} is not ${wanted}`);
  }
  await type(page, "h", "120");
  await page.selectOption("[name=fit]", "cover");
  await type(page, "more", "g=left&dpr=1.5&v=3");
  await settled(page, "/img/graphic.png?dpr=1.5&f=png&fit=cover&g=left&h=120&w=300");
  shown = await shownPixels(page, []);
  assert.deepEqual([shown.width, shown.height], [450, 180]);
  assert.match(await text(page, "url-note"), /: v$/);
  assert.equal(await assertBadgeIsTrue(page), "same");
  // With the keyboard alone.
  await page.selectOption("[name=f]", "jpeg");
  await type(page, "more", "");
  await page.focus("#quality");
  await page.keyboard.press("Home");
  await settled(page, "/img/graphic.png?f=jpeg&fit=cover&h=120&q=1&w=300");
  assert.equal(await text(page, "quality-value"), "1");
  const smallest = (await save(page)).bytes.length;
  await page.focus("#quality");
  await page.keyboard.press("End");
  await settled(page, "/img/graphic.png?f=jpeg&fit=cover&h=120&q=100&w=300");
  assert.ok((await save(page)).bytes.length > smallest);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a file is dropped, chosen or pasted, and stays here", async () => {
  const { page, context, faults } = await opened();
  await page.selectOption("[name=f]", "jpeg");
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await drop(page, "my ü picture.jpg", "image/jpeg", sample("portrait.jpg"));
  await settled(page, "/img/my%20%C3%BC%20picture.jpg?f=jpeg&w=400");
  const wanted = thumb("portrait.jpg", "-w", "400", "-f", "jpeg");
  const { bytes, name } = await save(page);
  assert.ok(bytes.equals(wanted), "the command line's bytes differ");
  assert.equal(name, "my ü picture.jpg");
  assert.equal(await verdict(page), "none");
  assert.match(await text(page, "badge"), /the server does not have this file/);
  assert.equal(await page.locator("#badge .hash").getAttribute("title"), sha256(wanted));

  await page.setInputFiles("#file", { name: ".hidden.png", mimeType: "image/png", buffer: sample("alpha.png") });
  await settled(page, "/img/hidden.png?f=jpeg&w=400");
  assert.ok((await save(page)).bytes.equals(thumb("alpha.png", "-w", "400", "-f", "jpeg")));

  await page.evaluate((base64) => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], "image.png", { type: "image/png" }));
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, sample("graphic.png").toString("base64"));
  await settled(page, "/img/image.png?f=jpeg&w=400");
  assert.ok((await save(page)).bytes.equals(thumb("graphic.png", "-w", "400", "-f", "jpeg")));
  assert.deepEqual(asked.filter((url) => url.startsWith("http")), []);
  assert.deepEqual(faults, []);
  await context.close();
});

test("what is no picture is explained, in the origin's words", async () => {
  const { page, context, faults } = await opened();
  const huge = Buffer.from(sample("pixel.png"));
  huge.writeUInt32BE(60_000, 16);
  huge.writeUInt32BE(60_000, 20);
  const wide = Buffer.from(huge);
  wide.writeUInt32BE(9_000, 16);
  wide.writeUInt32BE(9_000, 20);
  wide[28] = 1; // interlaced, so that it cannot be read row by row
  for (const [name, bytes, said] of [
    ["page.jpg", Buffer.from("<!doctype html><title>no</title>"), /^The source is .*HTML.*JPEG, PNG, WebP and GIF are supported\.$/],
    ["empty.jpg", Buffer.alloc(0), /^The source .*\.$/],
    ["short.jpg", sample("landscape.jpg").subarray(0, 300), /^The .*JPEG.*\.$/],
    ["broken.png", fixCrc(Buffer.concat([huge.subarray(0, 16), Buffer.alloc(8), huge.subarray(24)])), /PNG/],
    ["huge.png", fixCrc(huge), /^The source is over the limit: 3600000000 pixels, 100000000 allowed\.$/],
    ["wide.png", fixCrc(wide), /^The memory this picture needs is over the limit: \d+ bytes, \d+ allowed\.$/],
  ]) {
    await drop(page, name, "image/jpeg", bytes);
    await page.waitForFunction((name) => document.getElementById("original").alt.endsWith(name)
      && !document.getElementById("thumbnail-stage").classList.contains("busy")
      && !document.getElementById("trouble").hidden, name);
    assert.equal(await text(page, "trouble-title"), "There is no thumbnail of this file.", name);
    assert.match(await page.locator("#trouble-text").evaluate((node) => node.textContent[0].toUpperCase() + node.textContent.slice(1)), said, name);
    assert.equal(await page.isVisible("#thumbnail"), false, name);
    assert.equal(await page.inputValue("#url"), "", name);
  }
  await drop(page, "page.jpg", "image/jpeg", Buffer.from("no picture"));
  await page.waitForFunction(() => document.getElementById("original-absent").innerText === "Your browser cannot show page.jpg.");
  await page.screenshot({ path: `${screenshots}/trouble.png` });
  // And the next one is fine.
  await page.click('[data-sample="portrait.jpg"]');
  await settled(page, "/img/portrait.jpg?w=400");
  assert.equal(await page.isVisible("#trouble"), false);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a file that is too large is refused unread", async () => {
  const { page, context, faults } = await opened();
  await page.evaluate(() => {
    const part = new Uint8Array(8 << 20);
    const transfer = new DataTransfer();
    transfer.items.add(new File(Array(14).fill(part), "large.jpg"));
    document.getElementById("drop").dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  });
  await page.waitForSelector("#trouble:not([hidden])");
  assert.match(await text(page, "trouble"), /the source is over the limit: 117440512 bytes, 104857600 allowed/i);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a damaged picture is shown as far as it goes", async () => {
  const { page, context, faults } = await opened();
  const whole = sample("landscape.jpg");
  await page.selectOption("[name=f]", "jpeg");
  await drop(page, "half.jpg", "image/jpeg", whole.subarray(0, whole.length / 2));
  await settled(page, "/img/half.jpg?f=jpeg&w=400");
  assert.ok(await page.isVisible("#damaged"));
  await type(page, "more", "strict=1");
  await page.waitForSelector("#trouble:not([hidden])");
  assert.ok(!(await page.isVisible("#damaged")));
  assert.deepEqual(faults, []);
  await context.close();
});

test("a wrong option is explained beside its field", async () => {
  const { page, context, faults } = await opened();
  for (const [field, value, said] of [
    ["w", "abc", 'width: "abc" is not a whole number from 1 to 8192.'],
    ["h", "0", 'height: "0" is not a whole number from 1 to 8192.'],
    ["more", "dpr=9", 'dpr: "9" is not a number from 1 to 4.'],
    ["more", "w=1&h=%zz", 'height: "%zz" is not valid percent-encoding.'],
  ]) {
    await type(page, field, value);
    await page.waitForFunction((said) => document.getElementById("trouble-text").textContent === said, said);
    const marked = await page.locator("[aria-invalid=true]").evaluateAll((all) => all.map((one) => one.name));
    assert.deepEqual(marked, [said.startsWith("height") ? "h" : field]);
    await type(page, field, field === "w" ? "400" : "");
    await settled(page, FIRST);
    assert.equal(await page.locator("[aria-invalid]").count(), 0);
  }
  assert.deepEqual(faults, []);
  await context.close();
});

test("the address is copied", async () => {
  const { page, context, faults } = await opened();
  await page.click("#copy");
  await page.waitForFunction(() => document.getElementById("copy").textContent === "Copied");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), origin.url + FIRST);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a codec that breaks costs one thumbnail", async () => {
  const fragile = await startOrigin(builds.crash);
  try {
    const { page, context, faults } = await open(browser, `${fragile.url}/`);
    await settled(page, FIRST);
    await page.selectOption("[name=f]", "jpeg");
    for (const deadly of ["13", "14"]) {
      await page.fill("#quality", deadly);
      await page.waitForSelector("#trouble:not([hidden])");
      assert.equal(await text(page, "trouble-title"), "The codec broke on this picture.");
      assert.match(await text(page, "trouble-text"), /unreachable.*the next picture gets a new one/i);
      await page.fill("#quality", "80");
      await settled(page, "/img/landscape.jpg?f=jpeg&q=80&w=400");
      assert.equal(await assertBadgeIsTrue(page), "same");
    }
    assert.deepEqual(faults, []);
    await context.close();
  } finally {
    fragile.stop();
  }
});

test("an origin that refuses the address is quoted", async () => {
  const signed = await startOrigin(builds.page, "--key", "secret");
  try {
    const { page, context } = await open(browser, `${signed.url}/`);
    await settled(page, FIRST);
    assert.equal(await verdict(page), "none");
    assert.match(await text(page, "badge"), /the server answered 403: sig: missing; only signed addresses are served/);
    signed.stop();
    await type(page, "w", "300");
    await settled(page, "/img/landscape.jpg?w=300");
    assert.equal(await verdict(page), "none");
    assert.match(await text(page, "badge"), /the server did not answer/);
    await context.close();
  } finally {
    signed.stop();
  }
});

test("the page answers while pictures are made", async () => {
  const { page, context, faults } = await opened();
  await drop(page, "deep.png", "image/png", sample("deep.png"));
  // Many changes at once: each is answered, and the last one's thumbnail is what remains.
  await page.selectOption("[name=f]", "png");
  const longest = await page.evaluate(async () => {
    const field = document.querySelector("[name=w]");
    let [longest, last] = [0, performance.now()];
    for (let width = 200; width <= 600; width += 10) {
      field.value = String(width);
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
      await new Promise((next) => setTimeout(next, 5));
      const now = performance.now();
      [longest, last] = [Math.max(longest, now - last), now];
    }
    return longest;
  });
  await settled(page, "/img/deep.png?f=png&w=600");
  console.log(`longest pause ${longest.toFixed(0)} ms`);
  assert.ok((await save(page)).bytes.equals(thumb("deep.png", "-w", "600", "-f", "png")));
  assert.deepEqual(faults, []);
  await context.close();
});

for (const [size, viewport] of Object.entries({ laptop: LAPTOP, phone: PHONE })) {
  for (const colorScheme of ["light", "dark"]) {
    test(`it is readable on a ${size}, ${colorScheme}`, async () => {
      const { page, context, faults } = await opened({ viewport, colorScheme, hasTouch: size === "phone" });
      await page.click('[data-sample="landscape-progressive.jpg"]');
      await page.selectOption("[name=f]", "jpeg");
      await settled(page, "/img/landscape-progressive.jpg?f=jpeg&w=400");
      assert.equal(await verdict(page), "same");
      const { inner, outer } = await page.evaluate(() => ({
        inner: document.documentElement.scrollWidth, outer: document.documentElement.clientWidth,
      }));
      assert.ok(inner <= outer, `${inner} pixels wide on ${outer}`);
      await page.evaluate(fs.readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8"));
      const found = await page.evaluate(() => globalThis.axe.run());
      const told = found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
      assert.deepEqual(told, []);
      assert.deepEqual(faults, []);
      await page.mouse.move(0, 0);
      await page.evaluate(() => document.activeElement.blur());
      await page.screenshot({ path: `${screenshots}/${size}-${colorScheme}.png`, fullPage: size === "phone" });
      await context.close();
    });
  }
}

/** A PNG whose IHDR was changed, with the checksum that fits. */
function fixCrc(png) {
  let crc = 0xffffffff;
  for (const byte of png.subarray(12, 29)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  png.writeUInt32BE((crc ^ 0xffffffff) >>> 0, 29);
  return png;
}
