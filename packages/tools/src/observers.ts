// Observers: told of what happened, in order, and unable to touch the work.
import { thrownMessage } from './read-thrown.ts';
import type { ToolEvents } from './types.ts';

export interface Observers {
  on<Name extends keyof ToolEvents>(name: Name, listener: ToolEvents[Name]): () => void;
  emit<Name extends keyof ToolEvents>(name: Name, ...args: Parameters<ToolEvents[Name]>): void;
  has(name: keyof ToolEvents): boolean;
  clear(): void;
}

/** Creates the lists of observers. What a listener throws or rejects with goes to `warn`. */
export function createObservers(warn: (message: string) => void): Observers {
  const lists = new Map<keyof ToolEvents, Set<{ listener: (...args: never[]) => unknown }>>();
  const failed = (name: string, error: unknown) => warn(`a listener of ${name} failed: ${thrownMessage(error)}`);
  return {
    on(name, listener) {
      const entry = { listener };
      const list = lists.get(name) ?? new Set();
      lists.set(name, list.add(entry));
      return () => void list.delete(entry);
    },
    emit(name, ...args) {
      for (const { listener } of [...(lists.get(name) ?? [])]) {
        try {
          const result: unknown = Reflect.apply(listener, undefined, args);
          if (result !== undefined) Promise.resolve(result).catch((error) => failed(name, error));
        } catch (error) {
          failed(name, error);
        }
      }
    },
    has: (name) => (lists.get(name)?.size ?? 0) > 0,
    clear: () => lists.clear(),
  };
}
