// Finds the cases: every file in `cases/` that default-exports one.
import { readdirSync } from 'node:fs';
import { extname } from 'node:path';
import type { BenchCase } from './bench-case.ts';

/** Loads the cases in the order of their numbers; `only` keeps those with these ids. */
export async function loadCases(only?: readonly string[]): Promise<BenchCase[]> {
  const folder = new URL('./cases/', import.meta.url);
  const extension = extname(new URL(import.meta.url).pathname);
  const files = readdirSync(folder).filter((name) => extname(name) === extension && !name.endsWith('.test.ts'));
  const modules = await Promise.all(
    files.map((name) => import(new URL(name, folder).href) as Promise<{ default?: BenchCase }>),
  );
  const cases = modules.flatMap((module) => module.default ?? []);
  const wanted = only ? cases.filter((it) => only.includes(it.id)) : cases;
  for (const id of only ?? []) {
    if (!cases.some((it) => it.id === id))
      throw new Error(
        `there is no case ${id}; there are ${cases
          .map((it) => it.id)
          .sort(byNumber)
          .join(', ')}`,
      );
  }
  return wanted.sort((a, b) => byNumber(a.id, b.id));
}

function byNumber(a: string, b: string): number {
  return Number(a.slice(1)) - Number(b.slice(1)) || a.localeCompare(b);
}
