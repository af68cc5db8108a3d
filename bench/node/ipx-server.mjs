// ipx-server.mjs DIR PORT: ipx's own handler behind Node's server.
import http from "node:http";
import { createIPX, createIPXNodeServer, ipxFSStorage } from "ipx";

const [dir, port] = process.argv.slice(2);
const ipx = createIPX({ storage: ipxFSStorage({ dir }) });
http.createServer(createIPXNodeServer(ipx)).listen(Number(port), "127.0.0.1");
