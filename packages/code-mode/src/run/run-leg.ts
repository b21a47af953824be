// One leg of a run: from an `exec` or `wait` to its end, or to where the program waits and the model gets its turn back.
import type { CodeRunResult } from '@codeseam/code-runtime';
import { runFailure } from './map-failure.ts';
import { type ProgramRun, tooManyRuns } from './program-run.ts';

export type LegEnd =
  | { kind: 'ended'; result: CodeRunResult }
  | { kind: 'broken'; error: unknown }
  | { kind: 'waiting'; reason: 'pending_tools' | 'yield' };

export interface LegOptions {
  /** Milliseconds since the epoch. */
  deadlineAt: number;
  /** Of the `exec` or `wait` that is open. */
  signal: AbortSignal;
  /** Suspends at the first wait with a tool call pending. */
  suspendAtFirstCall: boolean;
  /** Lets the program go on, once the leg listens. */
  go(): void;
}

/** What a busy program gets at its deadline to come to a wait. */
const HOLD_GRACE_MS = 250;

type Turn =
  | { kind: 'ended'; result: CodeRunResult }
  | { kind: 'broken'; error: unknown }
  | { kind: 'deadline' | 'yield' | 'dispatch' | 'aborted' };

export async function runLeg(run: ProgramRun, options: LegOptions): Promise<LegEnd> {
  const { codeRun } = run;
  const ended: Promise<Turn> = codeRun.result.then(
    (result) => ({ kind: 'ended', result }),
    (error: unknown) => ({ kind: 'broken', error }),
  );
  const watch = new LegWatch(run, options, ended);
  try {
    options.go();
    const turn = await watch.turn;
    if (turn.kind === 'ended' || turn.kind === 'broken') return turn;
    if (turn.kind === 'aborted') return await abort(run, options.signal, ended);
    if (turn.kind === 'deadline' && codeRun.state === 'queued') {
      run.fail(runFailure('runtime_unavailable', 'the program never got its turn: every sandbox thread is busy'));
      return await end(ended);
    }
    const held = await watch.hold();
    if (held === 'aborted') return await abort(run, options.signal, ended);
    if (held === 'busy') {
      run.fail(
        runFailure('timeout', `the program was still busy at the deadline (timeoutMs ${run.settings.timeoutMs})`),
      );
      return await end(ended);
    }
    if (held !== 'waiting') return await end(ended);
    return await suspend(run, turn.kind === 'yield' ? 'yield' : 'pending_tools', options.signal, ended);
  } finally {
    watch.stop();
  }
}

async function suspend(
  run: ProgramRun,
  reason: 'pending_tools' | 'yield',
  signal: AbortSignal,
  ended: Promise<Turn>,
): Promise<LegEnd> {
  if (!run.takeSlot()) {
    run.fail(tooManyRuns(run.settings.maxSuspendedRuns));
    return end(ended);
  }
  const parked = run.codeRun.park().then(
    ({ bytes }) => bytes,
    () => undefined,
  );
  const bytes = await Promise.race([parked, ended.then(() => undefined)]);
  if (signal.aborted) return abort(run, signal, ended);
  // Its image may have been over the limit, or somebody ended it.
  if (run.ownFailure || run.codeRun.state === 'ended') return end(ended);
  if (bytes) run.counters.snapshotBytes = bytes;
  const pending = run.toolProgram.pending().length > 0;
  return { kind: 'waiting', reason: reason === 'yield' && !pending ? 'yield' : 'pending_tools' };
}

async function abort(run: ProgramRun, signal: AbortSignal, ended: Promise<Turn>): Promise<LegEnd> {
  const reason: unknown = signal.reason;
  const said = reason instanceof Error && reason.message ? `: ${reason.message}` : '';
  run.fail(runFailure('aborted', `the call was aborted${said}`));
  return end(ended);
}

async function end(ended: Promise<Turn>): Promise<LegEnd> {
  return (await ended) as LegEnd;
}

/** Listens for what can end a leg. */
class LegWatch {
  readonly turn: Promise<Turn>;
  readonly #run: ProgramRun;
  readonly #options: LegOptions;
  readonly #ended: Promise<Turn>;
  readonly #undo: (() => void)[] = [];

  constructor(run: ProgramRun, options: LegOptions, ended: Promise<Turn>) {
    this.#run = run;
    this.#options = options;
    this.#ended = ended;
    this.turn = new Promise((settle) => {
      void ended.then(settle);
      this.#after(Math.max(0, options.deadlineAt - Date.now()), () => settle({ kind: 'deadline' }));
      this.#undo.push(run.codeRun.onControl(() => settle({ kind: 'yield' })));
      this.#onAbort(() => settle({ kind: 'aborted' }));
      if (options.suspendAtFirstCall) run.onDispatch = () => settle({ kind: 'dispatch' });
      this.#undo.push(() => {
        run.onDispatch = undefined;
      });
    });
  }

  /** Holds the program at its next wait; `busy` where it comes to none within the deadline and its grace. */
  async hold(): Promise<'waiting' | 'draining' | 'ended' | 'busy' | 'aborted'> {
    const grace = Math.max(0, this.#options.deadlineAt - Date.now()) + HOLD_GRACE_MS;
    return new Promise((settle) => {
      this.#run.codeRun.hold().then(settle, () => settle('ended'));
      void this.#ended.then(() => settle('ended'));
      this.#after(grace, () => settle('busy'));
      this.#onAbort(() => settle('aborted'));
    });
  }

  stop(): void {
    for (const undo of this.#undo.splice(0)) undo();
  }

  #after(ms: number, act: () => void): void {
    const timer = setTimeout(act, ms);
    this.#undo.push(() => clearTimeout(timer));
  }

  #onAbort(act: () => void): void {
    const { signal } = this.#options;
    if (signal.aborted) {
      act();
      return;
    }
    signal.addEventListener('abort', act, { once: true });
    this.#undo.push(() => signal.removeEventListener('abort', act));
  }
}
