// Schemas with values that must be assignable and values that must not, checked by the TypeScript compiler.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { schemaToTypeScript } from './index.ts';
import { compileCases } from './testing/compile-cases.ts';

interface SchemaCase {
  name: string;
  schema: unknown;
  io?: 'input' | 'output';
  accepts: string[];
  rejects: string[];
}

const folder = new URL('./fixtures/cases/', import.meta.url);
const files = readdirSync(folder).sort();
const cases = files.flatMap((file) => {
  const rows: SchemaCase[] = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
  return rows.map((row) => ({ ...row, file }));
});

const compiled = compileCases(
  cases.map(({ name, schema, io, accepts, rejects }) => {
    const { type, declarations } = schemaToTypeScript(schema, { name: 'Case', io });
    return {
      name,
      declarations: `${declarations}type Value = ${type};`,
      statements: [...accepts, ...rejects].map((value, index) => `const v${index}: Value = ${value};`),
    };
  }),
);

describe.each(files)('%s', (file) => {
  test.each(cases.flatMap((item, index) => (item.file === file ? [[item.name, item, compiled[index]!] as const] : [])))(
    '%s',
    (_name, item, result) => {
      expect(result.errors).toEqual([]);
      expect(result.anyCount).toBe(0);
      const accepted = (from: number, values: string[]) =>
        values.filter((_, index) => result.statements[from + index] === undefined);
      const refused = item.accepts
        .map((value, index) => [value, result.statements[index]])
        .filter(([, error]) => error !== undefined);
      expect(refused, 'valid values that the type refuses').toEqual([]);
      expect(accepted(item.accepts.length, item.rejects), 'invalid values that the type accepts').toEqual([]);
    },
  );
});

test('there are at least 130 cases', () => {
  expect(cases.length).toBeGreaterThanOrEqual(130);
  expect(new Set(cases.map((item) => item.name)).size).toBe(cases.length);
});
