// sharp-server.mjs DIR PORT: sharp behind Node's own server, one thread of libvips for each picture.
import http from "node:http";
import path from "node:path";
import sharp from "sharp";

sharp.concurrency(1);
sharp.cache(false);

const [dir, port] = process.argv.slice(2);
const server = http.createServer(async (request, response) => {
  try {
    const url = new URL(request.url, "http://localhost");
    const [width, format] = [Number(url.searchParams.get("w")), url.searchParams.get("f")];
    const file = path.join(dir, path.basename(url.pathname));
    const bytes = await sharp(file).resize({ width }).toFormat(format, { quality: 80 }).toBuffer();
    response.writeHead(200, { "Content-Type": `image/${format}`, "Content-Length": bytes.length }).end(bytes);
  } catch (error) {
    response.writeHead(500, { "Content-Length": Buffer.byteLength(`${error}`) }).end(`${error}`);
  }
});
server.listen(Number(port), "127.0.0.1");
