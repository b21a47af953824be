// The guest image as it is kept in a file of the package and handed to threads.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { GuestImage } from './guest-image.ts';

/** An image, packed. */
export interface PackedGuestImage {
  /** SHA-256 of the engine's file that it belongs to. */
  readonly engine: string;
  readonly facts: Omit<GuestImage, 'memory' | 'tail'>;
  readonly memory: Uint8Array;
  readonly tail: Uint8Array;
}

/** As text, for a file of the package. */
export function writeGuestImage(image: GuestImage, engine: string): string {
  const { memory, tail, ...facts } = image;
  const packed = [memory, tail].map((bytes) => deflateRawSync(bytes, { level: 9 }).toString('base64'));
  return JSON.stringify({ engine, facts, packed });
}

export function readGuestImage(text: string): PackedGuestImage {
  const { engine, facts, packed } = JSON.parse(text) as { engine: string; facts: GuestImage; packed: string[] };
  const [memory, tail] = packed.map((it) => new Uint8Array(Buffer.from(it, 'base64'))) as [Uint8Array, Uint8Array];
  return { engine, facts, memory, tail };
}

export function unpackGuestImage({ facts, memory, tail }: PackedGuestImage): GuestImage {
  const inflate = (bytes: Uint8Array) => new Uint8Array(inflateRawSync(bytes, { chunkSize: 1024 * 1024 }));
  return { ...facts, memory: inflate(memory), tail: inflate(tail) };
}
