// The seam for suspended runs: where they are kept, who may resume one, and what is said of those that are gone.
import type { ToolScope } from '@codeseam/tools';
import type { Ownership } from '../session-key.ts';

/** A suspended program, for a store in the same process: to be kept by reference and given back as it is. */
export interface SuspendedProgram {
  readonly id: string;
}

/** What is kept of one suspended run. */
export interface SuspendedRunRecord<Program = SuspendedProgram> {
  readonly runId: string;
  readonly scope: ToolScope;
  readonly ownership: Ownership;
  /** Of the view that the run started with. */
  readonly catalogKey: string;
  /** The suspended program: in memory the live, parked run; in a durable store what `freeze` gave, with the call ledger. */
  readonly program: Program;
}

export type GoneReason = 'snapshot_expired' | 'aborted';

/** What is remembered of a run that is gone, until its TTL: none of its data. */
export interface Tombstone {
  readonly reason: GoneReason;
  /** `sessionKey` of its scope, so that it goes with its session. */
  readonly session: string;
  readonly fields: readonly string[];
  /** `ownershipHash` of the run's ownership. */
  readonly ownership: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

export type Claim<Program = SuspendedProgram> =
  | { state: 'claimed'; record: SuspendedRunRecord<Program> }
  /** Another `wait` resumes it right now. */
  | { state: 'in_use'; record: SuspendedRunRecord<Program> }
  | { state: 'gone'; tombstone: Tombstone }
  | { state: 'unknown' };

/**
 * Keeps suspended runs. `claim` gives a run to at most one resumer: until it is saved again or ended, everybody else is
 * told `in_use`. What a store throws fails that `exec` or `wait`, and what it gives back is checked. A durable store keeps
 * `Program` as plain data and authenticates it.
 */
export interface SuspendedRunStore<Program = SuspendedProgram> {
  /** Takes a place for a run, once; false where all are taken. */
  reserve(runId: string, limit: number): boolean;
  /** Keeps a run that has a place, and makes it claimable. */
  save(record: SuspendedRunRecord<Program>): void | Promise<void>;
  /** Looks at a run without claiming it. */
  find(runId: string): SuspendedRunRecord<Program> | undefined | Promise<SuspendedRunRecord<Program> | undefined>;
  claim(runId: string): Claim<Program> | Promise<Claim<Program>>;
  /** Forgets a run and gives its place back; leaves a tombstone, if there is one. Idempotent. */
  end(runId: string, tombstone?: Tombstone): void | Promise<void>;
  /** Forgets the tombstones of sessions that have ended. */
  dropTombstones(isDropped: (session: string) => boolean): void | Promise<void>;
  /** Places taken. */
  readonly size: number;
}
