// TextEncoder and TextDecoder (Encoding Standard), over what the engine does natively with strings: URI and Base64 coding.
import { nameClass } from './name-class.ts';

interface Base64Arrays {
  fromBase64?(text: string): Uint8Array<ArrayBuffer>;
}

/** Annex B functions: a string of bytes to and from its percent form. */
const { escape: toPercent, unescape: fromPercent } = globalThis as unknown as Record<string, (text: string) => string>;

const fromBase64 = (Uint8Array as unknown as Base64Arrays).fromBase64?.bind(Uint8Array);

export class TextEncoder {
  get encoding(): string {
    return 'utf-8';
  }

  encode(input: string = ''): Uint8Array {
    return bytesOf(fromPercent!(encodeURIComponent(wellFormed(String(input)))));
  }

  encodeInto(source: string, destination: Uint8Array): { read: number; written: number } {
    if (!(destination instanceof Uint8Array)) throw new TypeError('encodeInto: the destination must be a Uint8Array');
    const text = wellFormed(String(source));
    let read = 0;
    let written = 0;
    while (read < text.length) {
      const point = text.codePointAt(read)!;
      const size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
      if (written + size > destination.length) break;
      if (size === 1) destination[written] = point;
      else destination.set(this.encode(String.fromCodePoint(point)), written);
      written += size;
      read += point > 0xffff ? 2 : 1;
    }
    return { read, written };
  }
}

const LABELS: Record<string, 'utf-8' | 'utf-16le' | 'windows-1252'> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'unicode-1-1-utf-8': 'utf-8',
  unicode11utf8: 'utf-8',
  unicode20utf8: 'utf-8',
  'x-unicode20utf8': 'utf-8',
  'utf-16le': 'utf-16le',
  'utf-16': 'utf-16le',
  'ucs-2': 'utf-16le',
  'iso-10646-ucs-2': 'utf-16le',
  csunicode: 'utf-16le',
  unicode: 'utf-16le',
  unicodefeff: 'utf-16le',
  'windows-1252': 'windows-1252',
  'iso-8859-1': 'windows-1252',
  'iso8859-1': 'windows-1252',
  latin1: 'windows-1252',
  l1: 'windows-1252',
  ascii: 'windows-1252',
  'us-ascii': 'windows-1252',
  cp1252: 'windows-1252',
  'x-cp1252': 'windows-1252',
};

/** What windows-1252 has at 0x80 to 0x9f. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

export class TextDecoder {
  readonly #encoding: 'utf-8' | 'utf-16le' | 'windows-1252';
  readonly #fatal: boolean;
  readonly #ignoreBom: boolean;
  /** The bytes of a character that is not complete yet. */
  #rest: Uint8Array = new Uint8Array(0);
  #started = false;

  constructor(label: string = 'utf-8', options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
    const name = String(label).trim().toLowerCase();
    const encoding = Object.hasOwn(LABELS, name) ? LABELS[name] : undefined;
    if (encoding === undefined) {
      throw new RangeError(
        `TextDecoder: the encoding ${JSON.stringify(name.slice(0, 40))} is not supported; utf-8, utf-16le and latin1 are`,
      );
    }
    this.#encoding = encoding;
    this.#fatal = Boolean(options?.fatal);
    this.#ignoreBom = Boolean(options?.ignoreBOM);
  }

  get encoding(): string {
    return this.#encoding;
  }
  get fatal(): boolean {
    return this.#fatal;
  }
  get ignoreBOM(): boolean {
    return this.#ignoreBom;
  }

  decode(input?: ArrayBuffer | ArrayBufferView, options: { stream?: boolean } = {}): string {
    const stream = Boolean(options?.stream);
    const bytes = join(this.#rest, viewOf(input));
    this.#rest = bytes.subarray(bytes.length - (stream ? incompleteTail(bytes, this.#encoding) : 0)).slice();
    const whole = bytes.subarray(0, bytes.length - this.#rest.length);
    let text = '';
    try {
      text = this.#decodeWhole(whole);
    } catch (error) {
      this.#reset();
      throw error;
    }
    if (!this.#started && text !== '') {
      this.#started = true;
      if (!this.#ignoreBom && this.#encoding !== 'windows-1252' && text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    }
    if (!stream) this.#reset();
    return text;
  }

  #reset(): void {
    this.#rest = new Uint8Array(0);
    this.#started = false;
  }

  #decodeWhole(bytes: Uint8Array): string {
    if (this.#encoding === 'utf-16le') return decodeUtf16(bytes, this.#fatal);
    const binary = binaryOf(bytes);
    if (this.#encoding === 'windows-1252') {
      return binary.replace(/[\x80-\x9f]/g, (char) => WINDOWS_1252[char.charCodeAt(0) - 0x80]!);
    }
    try {
      return decodeURIComponent(toPercent!(binary));
    } catch {
      if (this.#fatal) throw new TypeError('TextDecoder: the data is not valid UTF-8');
      return decodeFaulty(bytes);
    }
  }
}

nameClass(TextEncoder, 'TextEncoder');
nameClass(TextDecoder, 'TextDecoder');

function wellFormed(text: string): string {
  const native = (text as { toWellFormed?(): string }).toWellFormed;
  return native ? native.call(text) : text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** A string of bytes as an array. */
function bytesOf(binary: string): Uint8Array {
  if (fromBase64) return fromBase64(btoa(binary));
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

function binaryOf(bytes: Uint8Array): string {
  const native = (bytes as { toBase64?(): string }).toBase64;
  if (native) return atob(native.call(bytes));
  let binary = '';
  for (let at = 0; at < bytes.length; at += 4096) {
    binary += String.fromCharCode.apply(null, bytes.subarray(at, at + 4096) as unknown as number[]);
  }
  return binary;
}

function viewOf(input: ArrayBuffer | ArrayBufferView | undefined): Uint8Array {
  if (input === undefined) return new Uint8Array(0);
  if (input instanceof ArrayBuffer) return new Uint8Array(input);
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  throw new TypeError('TextDecoder: decode takes an ArrayBuffer, a typed array or a DataView');
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

/** How many bytes at the end may be the beginning of a character. */
function incompleteTail(bytes: Uint8Array, encoding: string): number {
  if (encoding === 'windows-1252') return 0;
  if (encoding === 'utf-16le') {
    const odd = bytes.length % 2;
    const last = bytes.length - odd - 1;
    return last > 0 && (bytes[last]! & 0xfc) === 0xd8 ? odd + 2 : odd;
  }
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const lead = bytes[bytes.length - back]!;
    if (lead < 0x80) return 0;
    if (lead >= 0xc0) return isPrefix(bytes, bytes.length - back) ? back : 0;
  }
  return 0;
}

/** Whether the bytes from here on are a proper beginning of one UTF-8 character. */
function isPrefix(bytes: Uint8Array, start: number): boolean {
  const size = sizeOf(bytes[start]!);
  const length = bytes.length - start;
  if (size <= length) return false;
  return length < 2 || isSecond(bytes[start]!, bytes[start + 1]!);
}

function sizeOf(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 1;
}

/** Whether a second byte may follow this lead: no overlong form, no surrogate, nothing beyond U+10FFFF. */
function isSecond(lead: number, second: number): boolean {
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  return second >= low && second <= high;
}

/** Each longest part that begins no character becomes one U+FFFD. */
function decodeFaulty(bytes: Uint8Array): string {
  let text = '';
  let good = 0;
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes[at]!;
    const size = sizeOf(lead);
    let taken = 1;
    if (size > 1 && at + 1 < bytes.length && isSecond(lead, bytes[at + 1]!)) {
      taken = 2;
      while (taken < size && at + taken < bytes.length && (bytes[at + taken]! & 0xc0) === 0x80) taken++;
    }
    if (taken === size && (size > 1 || lead < 0x80)) {
      at += size;
      continue;
    }
    text += `${decodeURIComponent(toPercent!(binaryOf(bytes.subarray(good, at))))}\ufffd`;
    at += taken;
    good = at;
  }
  return text + decodeURIComponent(toPercent!(binaryOf(bytes.subarray(good))));
}

function decodeUtf16(bytes: Uint8Array, fatal: boolean): string {
  let text = '';
  for (let at = 0; at + 1 < bytes.length; at += 2) text += String.fromCharCode(bytes[at]! | (bytes[at + 1]! << 8));
  const whole = wellFormed(text);
  const odd = bytes.length % 2 === 1;
  if (fatal && (odd || whole !== text)) throw new TypeError('TextDecoder: the data is not valid UTF-16');
  // A half character at the end is one fault, also after half a surrogate pair.
  return odd && !/[\ud800-\udbff]$/.test(text) ? `${whole}\ufffd` : whole;
}
