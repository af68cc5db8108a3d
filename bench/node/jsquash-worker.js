// A Worker that makes thumbnails with jSquash, as its README shows it for Cloudflare: the source from
// `SOURCE_BASE`, `/NAME?w=WIDTH&f=webp|jpeg`.
import decode, { init as initDecode } from "@jsquash/jpeg/decode.js";
import encodeJpeg, { init as initEncodeJpeg } from "@jsquash/jpeg/encode.js";
import encodeWebp, { init as initEncodeWebp } from "@jsquash/webp/encode.js";
import resize, { initResize } from "@jsquash/resize";
import DECODE from "./mozjpeg_dec.wasm";
import ENCODE_JPEG from "./mozjpeg_enc.wasm";
import ENCODE_WEBP from "./webp_enc_simd.wasm";
import RESIZE from "./squoosh_resize_bg.wasm";

// jSquash makes its results with this class of browsers, which Workers do not have.
globalThis.ImageData ??= class ImageData {
  constructor(data, width, height) {
    Object.assign(this, { data, width, height });
  }
};

let ready;
const start = async () => {
  await initDecode(DECODE);
  await initEncodeJpeg(ENCODE_JPEG);
  await initEncodeWebp(ENCODE_WEBP);
  await initResize(RESIZE);
};

export default {
  async fetch(request, env) {
    const url = new URL(request.url);
    const width = Number(url.searchParams.get("w"));
    if (!(width > 0)) return new Response("w is not a width", { status: 400 });
    await (ready ??= start());
    const source = await fetch(env.SOURCE_BASE + url.pathname);
    const picture = await decode(await source.arrayBuffer());
    const height = Math.round((picture.height * width) / picture.width);
    // Its defaults are Lanczos3 in linear light on premultiplied samples; these are what the others do.
    const small = await resize(picture, { width, height, premultiply: false, linearRGB: false });
    const webp = url.searchParams.get("f") === "webp";
    const bytes = webp ? await encodeWebp(small, { quality: 80 }) : await encodeJpeg(small, { quality: 80 });
    return new Response(bytes, { headers: { "Content-Type": webp ? "image/webp" : "image/jpeg" } });
  },
};
