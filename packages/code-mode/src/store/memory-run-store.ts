// The store of suspended runs that lives and ends with the process.
import type { Claim, SuspendedRunRecord, SuspendedRunStore, Tombstone } from './suspended-run-store.ts';

/** Tombstones are small, but a loop of runs must not grow without end. */
const MOST_TOMBSTONES = 10_000;

interface Place<Program> {
  record?: SuspendedRunRecord<Program>;
  claimed: boolean;
}

export class MemoryRunStore<Program> implements SuspendedRunStore<Program> {
  readonly #places = new Map<string, Place<Program>>();
  readonly #tombstones = new Map<string, Tombstone>();

  get size(): number {
    return this.#places.size;
  }

  reserve(runId: string, limit: number): boolean {
    if (this.#places.has(runId)) return true;
    if (this.#places.size >= limit) return false;
    this.#places.set(runId, { claimed: false });
    return true;
  }

  save(record: SuspendedRunRecord<Program>): void {
    this.#places.set(record.runId, { record, claimed: false });
  }

  find(runId: string): SuspendedRunRecord<Program> | undefined {
    return this.#places.get(runId)?.record;
  }

  claim(runId: string): Claim<Program> {
    const place = this.#places.get(runId);
    // A run that is still in its first `exec` has a place but was never suspended: nobody knows its id.
    if (place?.record) {
      if (place.claimed) return { state: 'in_use', record: place.record };
      place.claimed = true;
      return { state: 'claimed', record: place.record };
    }
    const tombstone = this.#tombstones.get(runId);
    if (tombstone && tombstone.until > Date.now()) return { state: 'gone', tombstone };
    this.#tombstones.delete(runId);
    return { state: 'unknown' };
  }

  end(runId: string, tombstone?: Tombstone): void {
    this.#places.delete(runId);
    if (!tombstone) return;
    this.#tombstones.delete(runId);
    this.#tombstones.set(runId, tombstone);
    this.#sweep();
  }

  dropTombstones(isDropped: (session: string) => boolean): void {
    for (const [runId, { session }] of this.#tombstones) if (isDropped(session)) this.#tombstones.delete(runId);
  }

  /** The oldest ones first: those that are due, and those over the bound. */
  #sweep(): void {
    const now = Date.now();
    for (const [runId, { until }] of this.#tombstones) {
      if (until > now && this.#tombstones.size <= MOST_TOMBSTONES) return;
      this.#tombstones.delete(runId);
    }
  }
}
