// Web interfaces that a guest gets at their first use.
export { structuredClone } from './structured-clone.ts';
export { TextDecoder, TextEncoder } from './text-encoding.ts';
