// The controls that a run's prelude has raised; all are let go on by the next release.
import type { CodeControlEvent, CodeJsonValue, CodePendingCall } from './types.ts';

interface OpenControl {
  readonly name: string;
  readonly payload: CodeJsonValue;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

export class HostControls {
  readonly #open = new Map<number, OpenControl>();

  get size(): number {
    return this.#open.size;
  }

  /** Notes a control. @returns the event to raise, or nothing for a number that is open already. */
  raise(seq: number, name: string, payload: CodeJsonValue): CodeControlEvent | undefined {
    if (this.#open.has(seq)) return undefined;
    this.#open.set(seq, { name, payload, startedAt: Date.now() });
    return { id: controlId(seq), name, payload };
  }

  /** Gives the numbers of what was raised, in order, and forgets it. */
  takeAll(): number[] {
    const seqs = [...this.#open.keys()];
    this.#open.clear();
    return seqs;
  }

  pending(): CodePendingCall[] {
    return [...this.#open].map(([seq, { name, payload, startedAt }]) => ({
      kind: 'control',
      id: controlId(seq),
      path: [name],
      args: [payload],
      startedAt,
    }));
  }

  /** What is open, for a run that goes on elsewhere. */
  entries(): { readonly seq: number; readonly name: string; readonly payload: CodeJsonValue }[] {
    return [...this.#open].map(([seq, { name, payload }]) => ({ seq, name, payload }));
  }
}

function controlId(seq: number): string {
  return `control-${seq}`;
}
