// The codec's module, as the platform compiled it.
import module from "./codec.wasm";

export const codec = () => module;
