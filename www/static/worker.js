// Makes thumbnails beside the page's own thread: an address and a file in, a thumbnail or a trouble out.
import init, { Address, Maker, Trouble, fits, formats, sha256 } from "./glue/index.js";

let maker;
let ready;

const answers = {
  words: () => ({ fits: fits(), formats: formats() }),

  async make({ blob, target }) {
    const address = Address.read(target);
    maker.admit(BigInt(blob.size));
    const source = new Uint8Array(await blob.arrayBuffer());
    const begin = performance.now();
    const picture = maker.make(address, source);
    const millis = performance.now() - begin;
    const { bytes, width, height, format, memory, damaged } = picture;
    const { canonical, ignored, accept } = address;
    const result = {
      bytes, width, height, format, memory, damaged, millis, canonical, ignored, accept,
      mediaType: picture.media_type,
      source: { width: picture.source_width, height: picture.source_height, format: picture.source_format },
      sha256: sha256(bytes),
    };
    picture.free();
    address.free();
    return result;
  },

  async compare({ target, accept }) {
    // What the origin gives now, not what a cache remembers.
    const answer = await fetch(target, { headers: { accept }, cache: "no-store" });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const isPicture = answer.ok && (answer.headers.get("content-type") ?? "").startsWith("image/");
    const text = isPicture ? "" : new TextDecoder().decode(bytes.subarray(0, 300)).trim();
    return { status: answer.status, isPicture, text, bytes: bytes.length, sha256: sha256(bytes) };
  },
};

async function start(module) {
  await init({ module_or_path: new URL("glue/index_bg.wasm", import.meta.url) });
  maker = new Maker(module);
}

onmessage = async ({ data }) => {
  if (data.kind === "start") {
    ready = start(data.module);
    // Whoever asks hears of a failure; here it would only be reported twice.
    ready.catch(() => {});
    return;
  }
  try {
    await ready;
    postMessage({ id: data.id, result: await answers[data.kind](data) });
  } catch (error) {
    const known = error instanceof Trouble;
    const trouble = known ? { kind: error.kind, text: error.text } : { kind: "died", text: String(error) };
    postMessage({ id: data.id, trouble });
    // Not the codec's instance but what holds it: the page starts another worker.
    if (error instanceof WebAssembly.RuntimeError) throw error;
  }
};
