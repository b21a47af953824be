// The conformance suite notices every fault of a deliberately faulty provider, and nothing where there is none.
import type { CodeRuntime } from '@codeseam/code-runtime';
import { type ConformanceCase, conformanceGroups, runCase } from '@codeseam/code-runtime/conformance';
import { describe, expect, test } from 'vitest';
import { createQuickJsRuntime } from '../runtime.ts';
import { FAULTS, type Fault, faultyRuntime } from './faulty-runtime.ts';

const cases = new Map(
  Object.values(conformanceGroups)
    .flat()
    .map((it) => [it.name, it]),
);

/** A broken contract may also show as a wait without end. */
const PATIENCE_MS = 2_000;

/** Runs one case on providers that a factory makes; gives what the suite would report. */
async function report(conformanceCase: ConformanceCase, fault: Fault): Promise<string | undefined> {
  const inner: CodeRuntime[] = [];
  const factory = async () => {
    const runtime = await createQuickJsRuntime({ workers: 2 });
    inner.push(runtime);
    return faultyRuntime(runtime, fault);
  };
  const runtime = await factory();
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it never ended')), PATIENCE_MS);
  });
  try {
    await Promise.race([runCase(conformanceCase, runtime, factory), patience]);
    return undefined;
  } catch (error) {
    return (error as Error).message || 'failed';
  } finally {
    clearTimeout(timer);
    await Promise.all(inner.map((it) => it.dispose()));
  }
}

describe('the conformance suite', () => {
  test.each(FAULTS.map((fault) => [fault.name, fault] as const))(
    'notices a provider that %s',
    { timeout: 60_000 },
    async (_name, fault) => {
      for (const name of fault.breaks) {
        const broken = cases.get(name);
        expect(broken, `there is a case "${name}"`).toBeDefined();
        expect(await report(broken!, fault), name).toBeDefined();
      }
    },
  );

  test('finds nothing wrong where there is no fault', { timeout: 60_000 }, async () => {
    const factory = async () => faultyRuntime(await createQuickJsRuntime({ workers: 2 }));
    const runtime = await factory();
    for (const name of new Set(FAULTS.flatMap((fault) => fault.breaks)))
      await runCase(cases.get(name)!, runtime, factory);
    await runtime.dispose();
  });

  test('has a name of its own for each case', () => {
    const names = Object.values(conformanceGroups)
      .flat()
      .map((it) => it.name);
    expect(new Set(names).size).toBe(names.length);
  });
});
