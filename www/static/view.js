// What the page shows of a source, a thumbnail, a trouble and a comparison.
import { box, saving, size, time } from "./text.js";

const $ = (id) => document.getElementById(id);

const TITLES = {
  options: "This address has no picture.",
  picture: "There is no thumbnail of this file.",
  died: "The codec broke on this picture.",
  start: "The page cannot start.",
};

const AFTERWARDS = {
  died: "Only its own instance is lost: the next picture gets a new one.",
  start: "It needs WebAssembly with SIMD: Chrome 91, Firefox 89, Safari 16.4 or newer.",
};

const ENDINGS = { "image/webp": "webp", "image/jpeg": "jpg", "image/png": "png" };

/** Shows bytes in an `img`, and forgets those it showed before. */
function show(image, blob) {
  const before = image.src;
  image.src = URL.createObjectURL(blob);
  if (before.startsWith("blob:")) URL.revokeObjectURL(before);
}

/** The source, as the browser itself shows it. */
export function showSource(blob, name) {
  const image = $("original");
  const facts = $("original-facts");
  image.hidden = false;
  $("original-absent").hidden = true;
  facts.textContent = `${name}, ${size(blob.size)}`;
  image.alt = `The original, ${name}`;
  image.onerror = () => {
    image.hidden = true;
    $("original-absent").hidden = false;
    $("original-absent").textContent = `Your browser cannot show ${name}.`;
  };
  show(image, blob);
}

/** A finished thumbnail and its figures. */
export function showPicture(made, sourceBytes, name) {
  const { bytes, width, height, format, mediaType, source } = made;
  const image = $("thumbnail");
  show(image, new Blob([bytes], { type: mediaType }));
  image.hidden = false;
  image.alt = "The thumbnail";
  $("thumbnail-absent").hidden = true;
  const facts = `${box(width, height)}, ${format}, ${size(bytes.length)}`;
  $("thumbnail-facts").textContent = facts;
  $("original-facts").textContent = `${box(source.width, source.height)}, ${source.format}, ${size(sourceBytes)}`;
  $("saving").textContent = saving(sourceBytes, bytes.length);
  $("time").textContent = time(made.millis);
  $("memory").textContent = size(made.memory);
  $("damaged").hidden = !made.damaged;
  showAddress(made);
  $("save").hidden = false;
  $("save").href = image.src;
  $("save").download = `${name.replace(/\.[^.]*$/, "")}.${ENDINGS[mediaType]}`;
  $("status").textContent = `Thumbnail: ${facts}, ${$("saving").textContent} saved, ${$("time").textContent}`;
}

function showAddress({ canonical, ignored }) {
  $("copy").disabled = false;
  $("url").value = new URL(canonical, location.href).href;
  $("url-note").textContent = ignored.length > 0 ? `Ignored, because they mean nothing: ${ignored.join(", ")}` : "";
}

/** Why there is no thumbnail. The one before is not shown on: it would not be what was asked for. */
export function showTrouble({ kind, text }) {
  $("trouble").hidden = false;
  $("trouble-title").textContent = TITLES[kind];
  $("trouble-text").textContent = [sentence(text), AFTERWARDS[kind]].filter(Boolean).join(" ");
  $("thumbnail").hidden = true;
  $("thumbnail-absent").hidden = false;
  $("thumbnail-absent").textContent = "No thumbnail";
  for (const id of ["saving", "time", "memory"]) $(id).textContent = "–";
  $("thumbnail-facts").textContent = "";
  $("save").hidden = true;
  $("damaged").hidden = true;
  $("url").value = "";
  $("copy").disabled = true;
  $("url-note").textContent = "";
  $("status").textContent = "";
  showBadge({ state: "none" });
}

export function clearTrouble() {
  $("trouble").hidden = true;
}

const sentence = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** How the thumbnail compares with what the origin gives at the same address. */
export function showBadge({ state, theirs, text }, ours) {
  const badge = $("badge");
  const hash = (hex) => Object.assign(document.createElement("span"), { className: "hash", title: hex, textContent: hex.slice(0, 16) });
  const say = (verdict, title, ...parts) => {
    badge.dataset.state = verdict;
    $("badge-title").textContent = title;
    $("badge-text").replaceChildren(...parts);
  };
  if (state === "none") say("none", "Not compared.");
  else if (state === "asking") say("asking", "Comparing with the server");
  else if (state === "local") {
    say("none", "Not compared:", " the server does not have this file. In its folder, it would give this at the address below. SHA-256 ", hash(ours.sha256));
  } else if (state === "unreachable") say("none", "Not compared:", ` the server did not answer. ${text}`);
  else if (!theirs.isPicture) {
    const why = theirs.text && !theirs.text.startsWith("<") ? `: ${theirs.text}` : "";
    say("none", "Not compared:", ` the server answered ${theirs.status}${why}`);
  } else if (theirs.sha256 === ours.sha256) {
    say("same", "Same bytes", " as the server’s, all ", `${ours.bytes.length.toLocaleString("en")}. SHA-256 `, hash(ours.sha256));
  } else {
    say(
      "different", "Different bytes:",
      ` ${ours.bytes.length.toLocaleString("en")} here, SHA-256 `, hash(ours.sha256),
      `; ${theirs.bytes.toLocaleString("en")} from the server, SHA-256 `, hash(theirs.sha256),
    );
  }
}
