// Keeps the binary blocks of results for a while, so that programs can pass them on by ref instead of by value.
import { randomUUID } from 'node:crypto';

const PREFIX = 'codeseam-blob:';

/** Bytes of base64 text kept per set of servers; the oldest blocks go first. */
export const KEPT_BLOB_BYTES = 64 * 1024 * 1024;

export interface KeptBlob {
  server: string;
  mimeType: string;
  /** Base64. */
  data: string;
}

/** Blocks by unguessable ref: whoever has a ref was given it with a result. */
export class BlobStore {
  readonly #kept = new Map<string, KeptBlob>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number = KEPT_BLOB_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Keeps a block; undefined if it alone is more than may be kept. */
  keep(blob: KeptBlob): string | undefined {
    if (blob.data.length > this.#maxBytes) return undefined;
    const ref = PREFIX + randomUUID();
    this.#kept.set(ref, blob);
    this.#bytes += blob.data.length;
    for (const [oldest, { data }] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#kept.delete(oldest);
      this.#bytes -= data.length;
    }
    return ref;
  }

  /** A block of this server. */
  read(ref: string, server: string): KeptBlob | undefined {
    const blob = this.#kept.get(ref);
    return blob?.server === server ? blob : undefined;
  }

  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  static isRef(uri: string): boolean {
    return uri.startsWith(PREFIX);
  }
}

/** The number of bytes that a base64 text stands for. */
export function base64Bytes(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding);
}
