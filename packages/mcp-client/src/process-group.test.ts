import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { afterTest, isAlive, until } from './fixtures/harness.ts';

const here = (path: string) => new URL(path, import.meta.url).pathname;
/** A process of its own needs plain JavaScript, where it finds the packages that it imports. */
const owner = here('../.cache/owner.mjs');

beforeAll(async () => {
  mkdirSync(here('../.cache'), { recursive: true });
  await build({
    entryPoints: [here('./fixtures/owner.ts')],
    outfile: owner,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['codeseam-source'],
    external: ['@modelcontextprotocol/*', 'cross-spawn'],
    banner: { js: "import { createRequire as cr } from 'node:module'; const require = cr(import.meta.url);" },
    logLevel: 'silent',
  });
  return () => rmSync(owner, { force: true });
});

async function startOwner(how: string): Promise<{ pid: number; family: number[]; ended: Promise<unknown> }> {
  const child = spawn(process.execPath, [owner, here('./fixtures/odd-server.mjs'), how], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += data;
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data) => resolve(String(data)));
    child.once('exit', () => reject(new Error(errors)));
  });
  const family: number[] = JSON.parse(line);
  afterTest(() => {
    for (const pid of [child.pid!, ...family]) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });
  return { pid: child.pid!, family, ended };
}

const noneLeft = (family: number[]) =>
  until(
    () => family.filter(isAlive),
    (alive) => alive.length === 0,
    15_000,
  );

test('a process that ends leaves no server behind, however it ends', async () => {
  const own = ['exit', 'throw'].map(async (how) => {
    const { family, ended } = await startOwner(how);
    await ended;
    await noneLeft(family);
  });
  const killed = (['SIGTERM', 'SIGINT', 'SIGKILL'] as const).map(async (signal) => {
    const { pid, family } = await startOwner('stay');
    expect(family.map(isAlive)).toEqual([true, true]);
    process.kill(pid, signal);
    await noneLeft(family);
  });
  await Promise.all([...own, ...killed]);
}, 60_000);
