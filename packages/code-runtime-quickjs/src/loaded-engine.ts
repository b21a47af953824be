// The loaded engine as declarations show it: opaque, since Node's types know no WebAssembly and consumers need not.

export type LoadedEngine = object;
