// docs/security.md says which test shows each line of the boundary: the files, sentences and groups that it names exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './read-packages.ts';

const QUICKJS = join(root, 'packages/code-runtime-quickjs/src');

/** The cells of the last column of the page's table, in pieces. */
function shownBy(): string[] {
  const lines = readFileSync(join(root, 'docs/security.md'), 'utf8').split('\n');
  const rows = lines.filter((line) => line.startsWith('| ')).map((line) => line.split(' | '));
  return rows.slice(1).flatMap((cells) => cells.at(-1)!.replace(/ \|$/, '').split('; '));
}

const textsIn = (folder: string, ending: string): string =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

test('every test that docs/security.md names exists', () => {
  const contract = textsIn(join(root, 'packages/code-runtime/src/conformance'), '-cases.ts');
  const corpus = textsIn(join(QUICKJS, 'hostile/fixtures'), '.jsonl');
  const missing: string[] = [];
  let named = 0;
  for (const piece of shownBy()) {
    const quoted = [...piece.matchAll(/`([^`]+)`/g)].map((it) => it[1]!);
    const sentence = /"(.+)"/.exec(piece)?.[1];
    if (piece.startsWith('contract ')) {
      named++;
      if (!sentence || !contract.includes(`name: '${sentence}'`)) missing.push(piece);
    } else if (piece.startsWith('corpus ')) {
      for (const group of quoted) {
        named++;
        if (!corpus.includes(`"group": "${group}"`)) missing.push(`corpus ${group}`);
      }
    } else {
      named++;
      const [path] = quoted as [string];
      const file = [join(QUICKJS, path), join(root, 'packages', path)].find((it) => existsSync(it));
      if (!file || !path.endsWith('.test.ts') || (sentence && !readFileSync(file, 'utf8').includes(sentence)))
        missing.push(piece);
    }
  }
  expect(missing).toEqual([]);
  expect(named).toBeGreaterThan(50);
});

test('every group of the corpus stands on the page', () => {
  const corpus = textsIn(join(QUICKJS, 'hostile/fixtures'), '.jsonl');
  const groups = new Set([...corpus.matchAll(/"group":\s*"(\w+)"/g)].map((it) => it[1]!));
  const onPage = new Set(
    shownBy()
      .filter((it) => it.startsWith('corpus '))
      .flatMap((it) => [...it.matchAll(/`(\w+)`/g)].map((match) => match[1]!)),
  );
  expect([...groups].filter((it) => !onPage.has(it))).toEqual([]);
});
