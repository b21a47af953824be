// Finds the cases: every file in `cases/` that default-exports one.
import { readdirSync } from 'node:fs';
import { extname } from 'node:path';
import type { BenchCase } from './bench-case.ts';

/** Loads the cases in the order of their numbers; `only` keeps those with these ids. A file's name begins with its case's id. */
export async function loadCases(only?: readonly string[]): Promise<BenchCase[]> {
  const folder = new URL('./cases/', import.meta.url);
  const extension = extname(new URL(import.meta.url).pathname);
  const files = readdirSync(folder).filter((name) => extname(name) === extension && !name.endsWith('.test.ts'));
  const ids = files.map((name) => name.slice(0, name.indexOf('-')).toUpperCase());
  for (const id of only ?? []) {
    if (ids.includes(id)) continue;
    throw new Error(`there is no case ${id}; there are ${[...new Set(ids)].sort(byNumber).join(', ')}`);
  }
  const wanted = files.filter((_, index) => !only || only.includes(ids[index]!));
  const modules = await Promise.all(
    wanted.map((name) => import(new URL(name, folder).href) as Promise<{ default?: BenchCase }>),
  );
  return modules.flatMap((module) => module.default ?? []).sort((a, b) => byNumber(a.id, b.id));
}

function byNumber(a: string, b: string): number {
  return Number(a.slice(1)) - Number(b.slice(1)) || a.localeCompare(b);
}
