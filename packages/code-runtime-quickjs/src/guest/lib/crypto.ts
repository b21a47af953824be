// The `crypto` object: random values from the host.
import { getterOf, uncurry } from '@codeseam/code-runtime/guest';
import { defineGlobal } from './define-global.ts';
import type { GuestLibraryHost } from './index.ts';

/** The most that one `getRandomValues` fills (Web Cryptography API). */
const MOST_BYTES = 65_536;

const { freeze } = Object;
const Bytes = Uint8Array;
const Refusal = DOMException;
const { isView } = ArrayBuffer;
const RealTypeError = TypeError;
const parseByte = Number.parseInt;
const slice = uncurry(String.prototype.slice) as (text: string, start: number, end: number) => string;
const typedArrayName = getterOf(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);
const INTEGERS: Record<string, true> = {
  Int8Array: true,
  Uint8Array: true,
  Uint8ClampedArray: true,
  Int16Array: true,
  Uint16Array: true,
  Int32Array: true,
  Uint32Array: true,
  BigInt64Array: true,
  BigUint64Array: true,
};

/** Defines `crypto.randomUUID` and `crypto.getRandomValues`. */
export function defineCrypto(host: GuestLibraryHost): void {
  const crypto = {
    getRandomValues<T>(array: T): T {
      const kind: unknown = isView(array) ? typedArrayName(array) : undefined;
      if (typeof kind !== 'string' || INTEGERS[kind] !== true) {
        throw typeof array === 'object' && array !== null
          ? new Refusal('getRandomValues: an array of integers is expected', 'TypeMismatchError')
          : new RealTypeError('getRandomValues: an array of integers is expected');
      }
      const view = array as unknown as Uint8Array;
      if (view.byteLength > MOST_BYTES) {
        throw new Refusal(`getRandomValues: at most ${MOST_BYTES} bytes at a time`, 'QuotaExceededError');
      }
      const bytes = new Bytes(view.buffer, view.byteOffset, view.byteLength);
      const hex = bytes.length === 0 ? '' : host.randomHex(bytes.length);
      for (let index = 0; index < bytes.length; index++)
        bytes[index] = parseByte(slice(hex, index * 2, index * 2 + 2), 16);
      return array;
    },

    randomUUID(): string {
      const hex = host.randomHex(16);
      // Version 4, variant 10 (RFC 9562).
      const variant = VARIANTS[parseByte(hex[16]!, 16) & 3]!;
      return `${slice(hex, 0, 8)}-${slice(hex, 8, 12)}-4${slice(hex, 13, 16)}-${variant}${slice(hex, 17, 20)}-${slice(hex, 20, 32)}`;
    },
  };
  defineGlobal('crypto', freeze(crypto));
}

const VARIANTS = ['8', '9', 'a', 'b'] as const;
