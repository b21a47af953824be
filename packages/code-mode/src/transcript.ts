// The nested calls of each session, as rows under their parents; the newest thousand.
import type { ToolScope } from '@codeseam/tools';
import { isSameSession } from './session-key.ts';
import type { TranscriptRow } from './types.ts';

const MOST_ROWS = 1_000;

interface Kept {
  readonly scope: ToolScope;
  readonly runId: string;
  readonly row: TranscriptRow;
}

export class Transcript {
  readonly #sessions = new Map<string, Kept[]>();

  add(session: string, scope: ToolScope, runId: string, row: TranscriptRow): void {
    const rows = this.#sessions.get(session) ?? [];
    this.#sessions.set(session, rows);
    rows.push({ scope, runId, row: Object.freeze(row) });
    // In bulk, so that each row costs the same.
    if (rows.length >= 2 * MOST_ROWS) rows.splice(0, rows.length - MOST_ROWS);
  }

  /** The rows of a run (by id), or of a session. */
  of(of: string | ToolScope): TranscriptRow[] {
    const kept = [...this.#sessions.values()].flatMap((rows) => rows.slice(-MOST_ROWS));
    return kept
      .filter(({ runId, scope }) => (typeof of === 'string' ? runId === of : isSameSession(scope, of)))
      .map(({ row }) => row);
  }

  drop(isDropped: (session: string) => boolean): void {
    for (const session of this.#sessions.keys()) if (isDropped(session)) this.#sessions.delete(session);
  }

  clear(): void {
    this.#sessions.clear();
  }
}
