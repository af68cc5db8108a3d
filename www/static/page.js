// The page: what is chosen goes to the worker, what comes back is shown.
import { Work } from "./work.js";
import { showBadge, showPicture, showSource, showTrouble, clearTrouble } from "./view.js";
import { pathOf, target } from "./text.js";

const $ = (id) => document.getElementById(id);
const form = $("options");
const samples = [...document.querySelectorAll("[data-sample]")];

// Milliseconds without a change before the origin is asked too.
const QUIET = 350;

/** What the values of `fit` do. Which there are, the grammar says. */
const FITS = {
  "scale-down": "Inside width × height, never enlarged.",
  contain: "Inside width × height, enlarged if smaller.",
  cover: "Fills width × height, cropped, enlarged if needed.",
  crop: "Cropped to width × height, never enlarged.",
  "aspect-crop": "The shape of width × height, cropped, never enlarged.",
  pad: "Inside width × height, the rest filled with the background.",
  squeeze: "Exactly width × height, distorted if need be.",
};

/** The chosen picture: `{ blob, path, remote }`; `remote`: the origin has it under this path. */
let source = null;
/** Counts choices, so that a slow download does not replace a newer choice. */
let choices = 0;
let work;
/** Counts thumbnails asked for, so that a comparison knows whether it is still wanted. */
let round = 0;
let quiet;

/** The worker, once the codec is compiled. Chosen or not, the first picture waits for it. */
async function start() {
  try {
    const codec = await fetch("codec.wasm");
    if (!codec.ok) throw new Error(`codec.wasm: ${codec.status}`);
    work = new Work(await WebAssembly.compileStreaming(codec));
    const { fits, formats } = await work.words();
    fill(form.elements.fit, fits);
    fill(form.elements.f, formats);
    explainFit();
  } catch (error) {
    showTrouble({ kind: "start", text: error.text ?? error.message });
    return;
  }
  if (source) update();
  else if (choices === 0) chooseSample(samples[0].dataset.sample);
}

function fill(select, words) {
  for (const word of words) select.add(new Option(word));
}

function explainFit() {
  $("fit-note").textContent = FITS[form.elements.fit.value] ?? "";
}

function chooseFile(file) {
  choices++;
  choose({ blob: file, path: pathOf(file.name), remote: false });
}

async function chooseSample(path) {
  const choice = ++choices;
  press(path);
  try {
    const answer = await fetch(`samples/${path}`);
    if (!answer.ok) throw new Error(`the page has no such sample (${answer.status})`);
    const blob = await answer.blob();
    if (choice === choices) choose({ blob, path, remote: true });
  } catch (error) {
    if (choice === choices) showTrouble({ kind: "picture", text: error.message });
  }
}

function choose(chosen) {
  source = chosen;
  press(chosen.remote ? chosen.path : null);
  showSource(chosen.blob, chosen.path);
  update();
}

function press(path) {
  for (const button of samples) button.setAttribute("aria-pressed", String(button.dataset.sample === path));
}

/** The target that the options say. What is not set is left out: then the grammar's own default counts. */
function asked() {
  const { w, h, fit, f, q, more } = form.elements;
  const pairs = [["w", w.value.trim()], ["h", h.value.trim()], ["fit", fit.value], ["f", f.value]];
  if (!$("quality-reset").hidden) pairs.push(["q", q.value]);
  return target(source.path, pairs.filter(([, value]) => value !== ""), more.value.trim());
}

/** Makes the thumbnail anew. */
async function update() {
  if (!work || !source) return;
  clearTimeout(quiet);
  const mine = ++round;
  const { blob, path, remote } = source;
  $("thumbnail-stage").classList.add("busy");
  const made = await work.make(blob, asked());
  if (!made) return;
  $("thumbnail-stage").classList.remove("busy");
  markFields(made.trouble);
  if (made.trouble) {
    showTrouble(made.trouble);
    return;
  }
  clearTrouble();
  showPicture(made, blob.size, path);
  if (remote) {
    showBadge({ state: "asking" }, made);
    quiet = setTimeout(() => compare(made, mine), QUIET);
  } else {
    showBadge({ state: "local" }, made);
  }
}

async function compare(made, mine) {
  const theirs = await work.compare(made.canonical, made.accept);
  // Another thumbnail was asked for: its own comparison follows.
  if (mine !== round) return;
  showBadge(theirs.trouble ? { state: "unreachable", text: theirs.trouble.text } : { state: "answered", theirs }, made);
}

/** Marks the field whose value was refused: the message begins with the option's name. */
function markFields(trouble) {
  const { w, h, fit, f, q, more } = form.elements;
  const fields = { width: w, height: h, fit, format: f, quality: q };
  const name = trouble?.kind === "options" ? trouble.text.split(":")[0] : null;
  const wrong = name === null ? null : (fields[name] ?? more);
  for (const field of [w, h, fit, f, q, more]) {
    if (field === wrong) {
      field.setAttribute("aria-invalid", "true");
      field.setAttribute("aria-describedby", "trouble-text");
    } else {
      field.removeAttribute("aria-invalid");
      field.removeAttribute("aria-describedby");
    }
  }
}

function setQuality(set) {
  $("quality-reset").hidden = !set;
  $("quality-value").textContent = set ? $("quality").value : "the format’s own";
}

function fileIn(transfer) {
  return [...(transfer?.files ?? [])][0];
}

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", (event) => {
  if (event.target === $("quality")) setQuality(true);
  explainFit();
  update();
});
$("quality-reset").addEventListener("click", () => {
  setQuality(false);
  $("quality").value = 80;
  $("quality").focus();
  update();
});

$("file").addEventListener("change", (event) => {
  const [file] = event.target.files;
  // Empty where the dialog was cancelled.
  if (file) chooseFile(file);
  // The same file may be chosen again.
  event.target.value = "";
});
addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dragging");
});
addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) document.body.classList.remove("dragging");
});
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dragging");
  const file = fileIn(event.dataTransfer);
  if (file) chooseFile(file);
  else showTrouble({ kind: "picture", text: "what was dropped is not a file" });
});
addEventListener("paste", (event) => {
  const file = fileIn(event.clipboardData);
  if (!file) return;
  event.preventDefault();
  chooseFile(file);
});

$("copy").addEventListener("click", async () => {
  const url = $("url");
  url.select();
  // The clipboard is there on https and localhost only.
  const copied = navigator.clipboard
    ? await navigator.clipboard.writeText(url.value).then(() => true, () => false)
    : document.execCommand("copy");
  $("copy").textContent = copied ? "Copied" : "Press Ctrl-C";
  setTimeout(() => ($("copy").textContent = "Copy"), 1600);
});

for (const button of samples) {
  const path = button.dataset.sample;
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => chooseSample(path));
  const image = new Image();
  image.alt = "";
  image.width = 68;
  image.height = 51;
  // From the origin, as any page would have it; where there is none, the name remains.
  image.onerror = () => image.remove();
  image.src = `/img/${path}?w=72&h=54&fit=cover&dpr=2`;
  button.prepend(image);
}

start();
