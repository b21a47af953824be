// Which global names a request may define, so that a request valid for one provider is valid for all.

/** The identifier subset that every guest language accepts. */
export const PORTABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Names that start so belong to the runtimes; no request may define one. */
export const RUNTIME_NAME_PREFIX = '__codeseam';

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Reserved words of ECMAScript (sloppy, strict, module and async code, and the contextually fixed values). */
const JAVASCRIPT_WORDS = words(`
  arguments await break case catch class const continue debugger default delete do else enum eval export extends false
  finally for function if implements import in instanceof interface let new null package private protected public
  return static super switch this throw true try typeof undefined var void while with yield
`);

/** Keywords of Python 3, and the names that its compiler or import machinery fixes. */
const PYTHON_WORDS = words(`
  False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield
  __builtins__ __debug__ __name__ __main__ __file__ __import__
`);

/** What guests have from the start: the ECMAScript globals and the small web platform that programs expect. */
const GUEST_BUILT_INS = words(`
  AggregateError Array ArrayBuffer AsyncDisposableStack AsyncFunction AsyncGenerator AsyncIterator Atomics BigInt
  BigInt64Array BigUint64Array Boolean DataView Date DisposableStack Error EvalError FinalizationRegistry Float16Array
  Float32Array Float64Array Function Generator Infinity Int16Array Int32Array Int8Array InternalError Intl Iterator
  JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String
  SuppressedError Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap
  WeakRef WeakSet WebAssembly decodeURI decodeURIComponent encodeURI encodeURIComponent escape globalThis isFinite
  isNaN parseFloat parseInt unescape
  AbortController AbortSignal Blob Buffer CryptoKey DOMException Event EventTarget MessageChannel MessagePort
  TextDecoder TextEncoder URL URLSearchParams Worker atob btoa clearImmediate clearInterval clearTimeout console
  crypto exports fetch global module navigator performance process queueMicrotask require self setImmediate
  setInterval setTimeout structuredClone window
`);

const RESERVED = new Map<string, string>([
  ...GUEST_BUILT_INS.map((name) => [name, 'a built-in of the guest'] as const),
  ...PYTHON_WORDS.map((name) => [name, 'a reserved word of Python'] as const),
  ...JAVASCRIPT_WORDS.map((name) => [name, 'a reserved word of JavaScript'] as const),
]);

/**
 * Why a global name may not be defined by a request.
 *
 * @returns the end of the sentence `<name> is ...`, or `undefined` where the name is free.
 */
export function refusedNameReason(name: string): string | undefined {
  if (!PORTABLE_NAME.test(name)) return 'not a portable identifier ([A-Za-z_][A-Za-z0-9_]*)';
  if (name.startsWith(RUNTIME_NAME_PREFIX)) return "one of the runtime's own names";
  return RESERVED.get(name);
}

const RESERVED_ERROR_PROPERTIES = new Set([
  'name',
  'message',
  'stack',
  'cause',
  'code',
  'args',
  'with_traceback',
  'add_note',
  'constructor',
  'prototype',
]);

/** Why a property of a guest error class may not hold the member, as {@link refusedNameReason} says it. */
export function refusedErrorPropertyReason(name: string): string | undefined {
  if (name === '') return 'empty';
  if (RESERVED_ERROR_PROPERTIES.has(name)) return 'a property that errors have already';
  if (/^__.+__$/.test(name)) return 'of the form __x__, which Python owns';
  return undefined;
}
