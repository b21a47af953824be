// The image of a waiting program: its difference from the base image, compressed, and what else brings it back.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { BaseImage } from './base-image.ts';
import { STRETCH_BYTES } from './build-image.ts';
import type { Engine } from './engine.ts';

/** Differences are kept in blocks of this many bytes. */
const BLOCK_BYTES = 128;
const BLOCK_WORDS = BLOCK_BYTES / 4;
const PAGE_BYTES = 65_536;
const MAGIC = 0x43535131;
const HEADER_BYTES = 20;

/** Output is made in pieces of this many bytes: a turn of the compressor costs more than what a small image takes. */
const PIECE_BYTES = 64 * 1024;

/** An image that does not fit its base image, or is damaged. */
export class ImageError extends Error {
  override readonly name = 'ImageError';
}

/** The words of an instance above the engine's stack. */
function wordsOf(engine: Engine, base: BaseImage): Int32Array {
  const { bytes } = engine;
  return new Int32Array(bytes.buffer, base.start, (bytes.length - base.start) >> 2);
}

const STRETCH_WORDS = STRETCH_BYTES / 4;
const ZEROS = new Int32Array(STRETCH_WORDS);

/** The words that a base image has in the stretch that begins at a word: its own, its tail, or zeros. */
function baseStretch(base: BaseImage, start: number): Int32Array {
  const from = start * 4;
  if (from < base.memory.length)
    return new Int32Array(base.memory.buffer, base.memory.byteOffset + from, STRETCH_WORDS);
  const isTail = base.start + from === base.end - STRETCH_BYTES;
  return isTail ? new Int32Array(base.tail.buffer, base.tail.byteOffset, STRETCH_WORDS) : ZEROS;
}

/** Where, in words, the heap in use ends; what is beyond it means nothing, but for the last stretch of the memory. */
function endOfHeap(engine: Engine, base: BaseImage, words: number): number {
  if (base.heapTopAt === undefined) return words;
  const top = engine.view.getUint32(base.heapTopAt, true);
  // Behind its address the allocator keeps a few words on what is free there.
  const end = Math.ceil((top + 64 - base.start) / STRETCH_BYTES) * STRETCH_WORDS;
  return top < base.start || end > words ? words : end;
}

/** The numbers of the blocks in which an instance differs from its base image. */
function changedBlocks(engine: Engine, base: BaseImage): Uint32Array {
  const now = wordsOf(engine, base);
  const changed: number[] = [];
  const compare = (start: number): void => {
    const was = baseStretch(base, start);
    if (sameBytes(now, start, was)) return;
    for (let block = 0; block < STRETCH_WORDS; block += BLOCK_WORDS) {
      for (let at = block; at < block + BLOCK_WORDS; at++) {
        if (now[start + at] === was[at]) continue;
        changed.push((start + block) / BLOCK_WORDS);
        break;
      }
    }
  };
  const last = now.length - STRETCH_WORDS;
  const end = Math.min(endOfHeap(engine, base, now.length), last);
  for (let start = 0; start < end; start += STRETCH_WORDS) compare(start);
  compare(last);
  return Uint32Array.from(changed);
}

/** Compares a stretch by machine code. */
function sameBytes(now: Int32Array, start: number, was: Int32Array): boolean {
  const nowBytes = new Uint8Array(now.buffer, now.byteOffset + start * 4, STRETCH_BYTES);
  return Buffer.compare(nowBytes, new Uint8Array(was.buffer, was.byteOffset, STRETCH_BYTES)) === 0;
}

/** Bytes of the blocks in which an instance differs from its base image, uncompressed. */
export function changedBytes(engine: Engine, base: BaseImage): number {
  return changedBlocks(engine, base).length * BLOCK_BYTES;
}

/** Takes the image of an instance that waits. `main` is the box of the program's promise. */
export function takeImage(engine: Engine, base: BaseImage, main: number): Uint8Array {
  const now = wordsOf(engine, base);
  const changed = changedBlocks(engine, base);
  const raw = new Int32Array(changed.length * (1 + BLOCK_WORDS));
  let previous = 0;
  let to = changed.length;
  for (let index = 0; index < changed.length; index++) {
    const block = changed[index]!;
    // Gaps compress better than numbers, and differences better than values.
    raw[index] = block - previous;
    previous = block;
    const from = block * BLOCK_WORDS;
    const start = from - (from % STRETCH_WORDS);
    const was = baseStretch(base, start);
    for (let at = from; at < from + BLOCK_WORDS; at++) raw[to++] = now[at]! ^ was[at - start]!;
  }
  const packed = deflateRawSync(raw, { level: 1, chunkSize: PIECE_BYTES });
  const image = new Uint8Array(HEADER_BYTES + packed.length);
  const view = new DataView(image.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, engine.bytes.length / PAGE_BYTES, true);
  view.setUint32(8, main, true);
  view.setUint32(12, changed.length, true);
  view.setUint32(16, base.memory.length, true);
  image.set(packed, HEADER_BYTES);
  return image;
}

/**
 * Brings an image back into an instance that holds the base image.
 *
 * @param maxMemoryBytes the largest memory that the instance may have.
 * @returns the box of the program's promise.
 * @throws ImageError where the image cannot be one of this base, before anything is written.
 */
export function applyImage(engine: Engine, base: BaseImage, image: Uint8Array, maxMemoryBytes: number): number {
  if (image.length < HEADER_BYTES) throw new ImageError('the image is too short');
  const header = new DataView(image.buffer, image.byteOffset, HEADER_BYTES);
  const memoryBytes = header.getUint32(4, true) * PAGE_BYTES;
  const main = header.getUint32(8, true);
  const count = header.getUint32(12, true);
  if (header.getUint32(0, true) !== MAGIC) throw new ImageError('the image is not one of this format');
  if (header.getUint32(16, true) !== base.memory.length) throw new ImageError('the image is of another base image');
  if (memoryBytes > maxMemoryBytes) throw new ImageError('the image needs more memory than the run may have');
  const blocks = (memoryBytes - base.start) / BLOCK_BYTES;
  if (memoryBytes < base.end || count > blocks) throw new ImageError('the image is damaged');
  if (main < base.start || main + 8 > memoryBytes) throw new ImageError('the image is damaged');
  const raw = inflate(image.subarray(HEADER_BYTES), count * (1 + BLOCK_WORDS));
  const numbers = readBlockNumbers(raw, count, blocks);
  if (memoryBytes > engine.bytes.length) {
    engine.exports.memory.grow((memoryBytes - engine.bytes.length) / PAGE_BYTES);
  }
  const now = wordsOf(engine, base);
  let from = count;
  for (let index = 0; index < count; index++) {
    const to = numbers[index]! * BLOCK_WORDS;
    for (let at = to; at < to + BLOCK_WORDS; at++) now[at]! ^= raw[from++]!;
  }
  return main;
}

function inflate(packed: Uint8Array, words: number): Int32Array {
  let raw: Buffer;
  try {
    raw = inflateRawSync(packed, { maxOutputLength: Math.max(words * 4, 1), chunkSize: Math.max(words * 4, 64) });
  } catch {
    throw new ImageError('the image is damaged');
  }
  if (raw.length !== words * 4) throw new ImageError('the image is damaged');
  // A buffer of its own may begin anywhere in its pool.
  return raw.byteOffset % 4 === 0
    ? new Int32Array(raw.buffer, raw.byteOffset, words)
    : new Int32Array(new Uint8Array(raw).buffer);
}

function readBlockNumbers(raw: Int32Array, count: number, blocks: number): Uint32Array {
  const numbers = new Uint32Array(count);
  let number = 0;
  for (let index = 0; index < count; index++) {
    const gap = raw[index]!;
    if (gap < 0 || (gap === 0 && index > 0)) throw new ImageError('the image is damaged');
    number += gap;
    if (number >= blocks) throw new ImageError('the image is damaged');
    numbers[index] = number;
  }
  return numbers;
}
