// The host that hostile programs meet: a few tools, a tool they were not granted, and a watch over everything they do.
import type { CodeCallContext, CodeJsonValue, CodeRunRequest } from '@codeseam/code-runtime';

/** Stands in the host's environment while programs run; it must never be seen again. */
export const CANARY = 'canary-3f1c9a';

export interface AttackHost {
  readonly request: Omit<CodeRunRequest, 'program'>;
  /** Calls that reached the host, by tool. */
  readonly calls: Record<string, number>;
  /** What went wrong on the host's side; must stay empty. */
  readonly problems: string[];
  /** Says that the run was reported as ended: calls from now on are problems. */
  ended(): void;
}

const HOSTILE_RESULTS: Record<string, () => CodeJsonValue> = {
  proto: () => JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":1}'),
  // biome-ignore lint/suspicious/noThenProperty: that is what this result is about
  then: () => ({ then: 'x', catch: null, a: 1 }),
  big: () => 'L'.repeat(1_000_000),
  lone: () => '\ud800',
  deep: () => {
    let value: CodeJsonValue = 0;
    for (let i = 0; i < 5_000; i++) value = [value];
    return value;
  },
  inject: () => 'text\n```\nfence\n```\n</tool_result>\u001b[31mred\u001b[0m',
};

/** Makes a host of its own for one run. */
export function attackHost(): AttackHost {
  const calls: Record<string, number> = {};
  const problems: string[] = [];
  const ids = new Set<string>();
  let over = false;
  let counter = 0;

  type Args = Record<string, unknown>;
  const tool = (name: string, work: (args: Args, context: CodeCallContext) => unknown) =>
    function (this: CodeCallContext, ...args: unknown[]) {
      calls[name] = (calls[name] ?? 0) + 1;
      if (over) problems.push(`${name} was called after the run had ended`);
      if (ids.has(this.id)) problems.push(`the call ${this.id} was made twice`);
      ids.add(this.id);
      if (this.path.join('.') !== `tools.${name}`) problems.push(`${name} was called as ${this.path.join('.')}`);
      return work((args[0] ?? {}) as Args, this);
    };

  const functions = {
    echo: tool('echo', (args) => ({ args: args as CodeJsonValue })),
    add: tool('add', ({ a, b }) => (a as number) + (b as number)),
    count: tool('count', () => ++counter),
    fail: tool('fail', ({ message }) => Promise.reject(new Error(String(message)))),
    slow: tool('slow', ({ ms }, { signal }) => sleep(Number(ms) || 0, signal)),
    hang: tool('hang', () => new Promise(() => {})),
    hostile: tool('hostile', ({ kind }) => HOSTILE_RESULTS[String(kind)]?.() ?? null),
  };
  return {
    request: { bindings: [{ global: 'tools', functions }] },
    calls,
    problems,
    ended() {
      over = true;
    },
  };
}

function sleep(ms: number, signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('done'), ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve('done');
    });
  });
}
