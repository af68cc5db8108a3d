// miniflare.mjs BUILD BUCKET NAME=VALUE…: the Worker in miniflare, for tests of R2 and the Cache API. The files in
// the folder BUCKET, if one is named, are put into the R2 bucket. Ends with its standard input.
import fs from "node:fs";
import path from "node:path";
import { Miniflare } from "miniflare";

const [build, bucket, ...variables] = process.argv.slice(2);
const module = (type, name) => ({ type, path: name, contents: fs.readFileSync(path.join(build, name)) });
const mf = new Miniflare({
  modulesRoot: "/",
  modules: [
    module("ESModule", "index.js"),
    module("CompiledWasm", "index_bg.wasm"),
    module("CompiledWasm", "codec.wasm"),
  ],
  compatibilityDate: "2026-07-01",
  host: "127.0.0.1",
  port: 0,
  cf: false,
  bindings: Object.fromEntries(variables.map((pair) => pair.split(/=(.*)/s).slice(0, 2))),
  ...(bucket ? { r2Buckets: ["SOURCE_BUCKET"] } : {}),
});
const url = await mf.ready;
if (bucket) {
  const store = await mf.getR2Bucket("SOURCE_BUCKET");
  for (const name of fs.readdirSync(bucket, { recursive: true })) {
    const file = path.join(bucket, name);
    if (fs.statSync(file).isFile()) await store.put(name, fs.readFileSync(file));
  }
}
process.stdin.on("end", () => mf.dispose().then(() => process.exit(0))).resume();
console.log(`listening on ${url.host}`);
