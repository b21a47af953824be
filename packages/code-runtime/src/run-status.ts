// A run's state, and those who listen to it. A listener's failure never touches the run.
import type { CodeControlEvent, CodeRunState } from './types.ts';

/** Calls an observer; what it throws becomes a process warning. */
export function notify<Args extends unknown[]>(observer: (...args: Args) => unknown, ...args: Args): void {
  try {
    observer(...args);
  } catch (error) {
    process.emitWarning(
      `a listener of a code run threw: ${error instanceof Error ? error.message : String(error)}`,
      'CodeRunListener',
    );
  }
}

/** Holds `CodeRun.state` and serves `onState` and `onControl`. */
export class RunStatus {
  #state: CodeRunState = 'queued';
  readonly #stateListeners = new Set<{ call: (state: CodeRunState) => void }>();
  readonly #controlListeners = new Set<{ call: (event: CodeControlEvent) => void }>();

  get state(): CodeRunState {
    return this.#state;
  }

  /** Goes to a state, once; `ended` is the last and `draining` is only followed by it. */
  set(state: CodeRunState): void {
    if (state === this.#state || this.#state === 'ended') return;
    if (this.#state === 'draining' && state !== 'ended') return;
    this.#state = state;
    for (const listener of [...this.#stateListeners])
      if (this.#stateListeners.has(listener)) notify(listener.call, state);
    if (state !== 'ended') return;
    this.#stateListeners.clear();
    this.#controlListeners.clear();
  }

  onState(listener: (state: CodeRunState) => void): () => void {
    return subscribe(this.#stateListeners, listener);
  }

  onControl(listener: (event: CodeControlEvent) => void): () => void {
    return subscribe(this.#controlListeners, listener);
  }

  raiseControl(event: CodeControlEvent): void {
    for (const listener of [...this.#controlListeners]) notify(listener.call, event);
  }
}

function subscribe<Listener>(listeners: Set<{ call: Listener }>, call: Listener): () => void {
  const entry = { call };
  listeners.add(entry);
  return () => void listeners.delete(entry);
}
