// The Worker's entry: hands each request to the glue. A panic there leaves its memory in an unknown state, so
// that the next request begins with a new one.
import { WorkerEntrypoint } from "cloudflare:workers";
import * as glue from "./index.js";

const state = glue.__worker_init_state();

function note(error) {
  if (error instanceof WebAssembly.RuntimeError) state.criticalError = true;
}

addEventListener("error", (event) => note(event.error));

export default class extends WorkerEntrypoint {
  async fetch(request) {
    if (state.criticalError) {
      glue.__wbg_reset_state();
      state.criticalError = false;
      state.instanceId++;
    }
    try {
      return await glue.fetch.call(this, request, this.env, this.ctx);
    } catch (error) {
      note(error);
      throw error;
    }
  }
}
