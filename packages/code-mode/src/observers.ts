// Observers of runs: told in order, and unable to touch the work.
import type { CodeModeEvents } from './types.ts';

export class ObserverList {
  readonly #lists = new Map<keyof CodeModeEvents, Set<{ call: (event: never) => unknown }>>();

  constructor(readonly warn: (message: string) => void) {}

  on<Name extends keyof CodeModeEvents>(name: Name, listener: CodeModeEvents[Name]): () => void {
    const entry = { call: listener as (event: never) => unknown };
    const list = this.#lists.get(name) ?? new Set();
    this.#lists.set(name, list.add(entry));
    return () => void list.delete(entry);
  }

  emit<Name extends keyof CodeModeEvents>(name: Name, event: Parameters<CodeModeEvents[Name]>[0]): void {
    const failed = (error: unknown) =>
      this.warn(`a listener of ${name} failed: ${error instanceof Error ? error.message : String(error)}`);
    for (const { call } of [...(this.#lists.get(name) ?? [])]) {
      try {
        Promise.resolve(call(Object.freeze({ ...event }) as never)).catch(failed);
      } catch (error) {
        failed(error);
      }
    }
  }

  clear(): void {
    this.#lists.clear();
  }
}
