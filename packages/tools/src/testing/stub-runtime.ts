// A runtime for tests that runs no text: the program is a function of the test, and what it says of itself is free.
import type { CodeBindingNamespace, CodeRunRequest, CodeRunResult, CodeRuntime } from '@codeseam/code-runtime';

export type StubTools = Record<string, (args?: unknown) => Promise<any>>;

/** Runs `program` in place of every text that it is given. It never drains: what a program leaves open stays open. */
export function stubRuntime(
  program: (tools: StubTools, request: CodeRunRequest) => unknown,
  language: CodeRuntime['language'] = 'typescript',
): CodeRuntime & { requests: CodeRunRequest[] } {
  const requests: CodeRunRequest[] = [];
  const run = async (request: CodeRunRequest): Promise<CodeRunResult> => {
    requests.push(request);
    const [namespace] = request.bindings as [CodeBindingNamespace];
    const given = await program(namespace.functions as never, request);
    return { logs: [], output: [], usage: { computeMs: 0, wallMs: 0, calls: 0 }, ...(given as object) };
  };
  const refuse = (): never => {
    throw new Error('run_code only runs');
  };
  return {
    requests,
    languages: [language],
    language,
    isolation: 'stub',
    resumable: false,
    maxLimits: {},
    start: refuse,
    run,
    dispose: async () => {},
  };
}
