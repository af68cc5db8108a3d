// The worker that makes the thumbnails, from the page's side. One is made at a time; of those that wait only the
// newest counts, and one that has been at work for long while a newer one waits is given up with its worker.

// Milliseconds a thumbnail that nobody waits for any more may still take.
const PATIENCE = 400;

const sleep = (millis) => new Promise((wake) => setTimeout(wake, millis));

export class Work {
  #module;
  #worker;
  #asked = new Map();
  #next = 0;
  #turn = 0;
  #job = null;

  /** With the codec's compiled module. */
  constructor(module) {
    this.#module = module;
    this.#start();
  }

  /** The values that options with a list of them may have: `{ fits, formats }`. */
  words() {
    return this.#ask({ kind: "words" });
  }

  /**
   * The thumbnail of a blob, or the trouble with it; null where a newer one was asked for in the meantime.
   */
  async make(blob, target) {
    const turn = ++this.#turn;
    while (this.#job) {
      const job = this.#job;
      await Promise.race([job, sleep(PATIENCE)]);
      if (turn !== this.#turn) return null;
      if (this.#job === job) this.#restart();
    }
    const made = this.#ask({ kind: "make", blob, target });
    const job = made.catch(() => {});
    this.#job = job;
    job.then(() => {
      if (this.#job === job) this.#job = null;
    });
    const result = await made.catch((trouble) => ({ trouble }));
    return turn === this.#turn ? result : null;
  }

  /** What the origin answers to a target: `{ status, sha256, bytes, text }`, or a trouble. */
  compare(target, accept) {
    return this.#ask({ kind: "compare", target, accept }).catch((trouble) => ({ trouble }));
  }

  #ask(job) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject });
      this.#worker.postMessage({ ...job, id });
    });
  }

  #start() {
    const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data: { id, result, trouble } }) => {
      const { resolve, reject } = this.#asked.get(id);
      this.#asked.delete(id);
      if (trouble) reject(trouble);
      else resolve(result);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.#worker) this.#restart(event.message || "its worker could not be started");
    };
    worker.postMessage({ kind: "start", module: this.#module });
    this.#worker = worker;
  }

  #restart(text = "a newer thumbnail was asked for") {
    this.#worker.terminate();
    const asked = [...this.#asked.values()];
    this.#asked.clear();
    this.#job = null;
    this.#start();
    for (const { reject } of asked) reject({ kind: "died", text });
  }
}
