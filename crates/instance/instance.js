// An instance of the codec's module. A trap passes through the host's WebAssembly uncaught, although it happened
// in another module: only JavaScript can make of it what the host can catch.
function guarded(call) {
  return (...args) => {
    try {
      return call(...args);
    } catch (error) {
      throw new Error(String(error));
    }
  };
}

export function instantiate(module) {
  const { memory, ...calls } = new WebAssembly.Instance(module, {}).exports;
  const entries = Object.entries(calls).filter(([, call]) => typeof call === "function");
  return { memory, ...Object.fromEntries(entries.map(([name, call]) => [name, guarded(call)])) };
}
