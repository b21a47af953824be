// The guest's own part: `agents`, `phase`, `log` and the error of a failed subagent.

interface GuestHost {
  emit(item: { type: 'note'; text: string }): void;
}

type Answer = { ok: true; value: unknown } | { ok: false; message: string; runId: string; status: string };

declare const swarm: { run(prompt: unknown, options: object): Promise<Answer> };

export function install(host: GuestHost): void {
  const { defineProperty, freeze, assign } = Object;
  const { emit } = host;
  const text = String;
  let current: string | undefined;

  class SwarmAgentError extends Error {
    override readonly name = 'SwarmAgentError';
    constructor(
      message: string,
      readonly runId: string,
      readonly status: string,
    ) {
      super(message);
    }
  }

  const agents = freeze({
    async run(prompt: unknown, options: object = {}): Promise<unknown> {
      const phased = current === undefined ? options : assign({ phase: current }, options);
      const answer = await swarm.run(prompt ?? null, phased);
      if (!answer.ok) throw new SwarmAgentError(answer.message, answer.runId, answer.status);
      return answer.value;
    },
  });
  const fix = (name: string, value: unknown): void => {
    defineProperty(globalThis, name, { value, writable: false, enumerable: true, configurable: false });
  };
  fix('agents', agents);
  fix('SwarmAgentError', SwarmAgentError);
  fix('phase', (title: unknown): void => {
    current = text(title);
    emit({ type: 'note', text: `phase: ${current}` });
  });
  fix('log', (message: unknown): void => {
    emit({ type: 'note', text: text(message) });
  });
}
