// sharp and ipx as libraries: an order of JSON on each line of the standard input, an answer on each of the standard
// output. CPU time is the whole process's, of all its threads.
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import sharp from "sharp";
import { createIPX, ipxFSStorage } from "ipx";

sharp.concurrency(1);
sharp.cache(false);

const make = {
  async sharp({ source, width, format }) {
    const bytes = await fs.promises.readFile(source);
    return sharp(bytes).resize({ width }).toFormat(format, { quality: 80 }).toBuffer();
  },
  async ipx({ source, width, format }) {
    const ipx = createIPX({ storage: ipxFSStorage({ dir: path.dirname(source) }) });
    const { data } = await ipx(path.basename(source), { w: `${width}`, f: format, q: "80" }).process();
    return data;
  },
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  let answer;
  try {
    const order = JSON.parse(line);
    const before = process.cpuUsage();
    let bytes;
    for (let n = 0; n < order.times; n++) bytes = await make[order.peer](order);
    const { user, system } = process.cpuUsage(before);
    fs.writeFileSync(order.made, bytes);
    answer = { micros: user + system };
  } catch (error) {
    answer = { error: `${error}` };
  }
  console.log(JSON.stringify(answer));
}
