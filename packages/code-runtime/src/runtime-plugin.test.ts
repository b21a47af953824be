import { readdirSync, readFileSync } from 'node:fs';
import * as harness from '@deepseek-ai/cordis';
import * as upstream from 'cordis';
import z from 'schemastery';
import { describe, expect, test } from 'vitest';
import { runtimePlugin } from './runtime-plugin.ts';
import type { CodeRuntime } from './types.ts';

function fakeRuntime(log: string[], label: unknown): CodeRuntime {
  return {
    languages: ['javascript'],
    language: 'javascript',
    isolation: 'none',
    resumable: false,
    maxLimits: {},
    start: () => {
      throw new Error(`started ${label}`);
    },
    run: async () => ({ logs: [], output: [], usage: { computeMs: 0, wallMs: 0, calls: 0 } }),
    dispose: async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      log.push(`disposed ${label}`);
    },
  };
}

const Config = z.object({ label: z.string().default('first') });

interface AnyContext {
  plugin(
    plugin: unknown,
    config?: unknown,
  ): PromiseLike<{ dispose(): Promise<void>; await(): Promise<unknown>; state: number }> & { dispose(): Promise<void> };
  get(name: string): unknown;
  effect(execute: () => () => void): unknown;
}

const contexts: [name: string, make: () => AnyContext][] = [
  ['cordis', () => new upstream.Context() as unknown as AnyContext],
  ['@deepseek-ai/cordis', () => new harness.Context() as unknown as AnyContext],
];

describe.each(contexts)('a runtime plugin in %s', (_name, makeContext) => {
  test('provides codeRuntime, with the config filled in, and disposes it with its fiber', async () => {
    const log: string[] = [];
    const ctx = makeContext();
    const plugin = runtimePlugin({
      name: 'fake',
      Config,
      create: async ({ label }: { label: string }) => fakeRuntime(log, label),
    });
    const fiber = await ctx.plugin(plugin, {});
    const runtime = ctx.get('codeRuntime') as CodeRuntime;
    expect(runtime.isolation).toBe('none');
    await expect(runtime.run({ program: '', bindings: [] })).resolves.toMatchObject({ logs: [] });
    expect(() => runtime.start({ program: '', bindings: [] })).toThrow('started first');
    await fiber.dispose();
    expect(log).toEqual(['disposed first']);
    expect(ctx.get('codeRuntime')).toBeUndefined();
  });

  test('serves dependents that inject it, and ends after them', async () => {
    const log: string[] = [];
    const ctx = makeContext();
    const user = {
      name: 'user',
      inject: ['codeRuntime'],
      apply(inner: AnyContext) {
        log.push('user on');
        inner.effect(() => () => void log.push('user off'));
      },
    };
    const waiting = ctx.plugin(user);
    const fiber = await ctx.plugin(runtimePlugin({ name: 'fake', Config, create: () => fakeRuntime(log, 'it') }), {});
    await waiting;
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(log).toEqual(['user on']);
    await fiber.dispose();
    expect(log).toEqual(['user on', 'user off', 'disposed it']);
  });

  test('disposes a runtime that was made too late', async () => {
    const log: string[] = [];
    const ctx = makeContext();
    let make!: () => void;
    const made = new Promise<void>((resolve) => {
      make = resolve;
    });
    let begin!: () => void;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const create = async () => {
      begin();
      await made;
      return fakeRuntime(log, 'late');
    };
    const fiber = ctx.plugin(runtimePlugin({ name: 'late', Config, create }), {});
    await begun;
    const ended = fiber.dispose();
    make();
    await ended;
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(log).toEqual(['disposed late']);
    expect(ctx.get('codeRuntime')).toBeUndefined();
  });

  test('does not leave a runtime behind when the key is taken', async () => {
    const log: string[] = [];
    const ctx = makeContext();
    await ctx.plugin(runtimePlugin({ name: 'one', Config, create: () => fakeRuntime(log, 'one') }), {});
    const second = ctx.plugin(runtimePlugin({ name: 'two', Config, create: () => fakeRuntime(log, 'two') }), {});
    await Promise.resolve(second).then(
      () => 'mounted',
      () => 'refused',
    );
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(log).toEqual(['disposed two']);
    expect((ctx.get('codeRuntime') as CodeRuntime).isolation).toBe('none');
  });
});

test('no file of the main entry imports cordis', () => {
  const folder = new URL('.', import.meta.url);
  const reached = new Set<string>();
  const visit = (file: string) => {
    if (reached.has(file)) return;
    reached.add(file);
    const text = readFileSync(new URL(file, folder), 'utf8');
    expect(text).not.toMatch(/from '(cordis|@deepseek-ai\/cordis)'/);
    for (const [, next] of text.matchAll(/from '\.\/([^']+)'/g)) visit(next!);
  };
  visit('index.ts');
  expect(reached.size).toBeGreaterThan(10);
  expect(readdirSync(folder)).toContain('cordis.ts');
});
