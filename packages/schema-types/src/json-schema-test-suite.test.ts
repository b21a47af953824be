// The JSON-Schema-Test-Suite as an oracle: which valid instances our types refuse, and why.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { schemaToTypeScript } from './index.ts';
import { type CompiledCase, compileCases } from './testing/compile-cases.ts';

interface Row {
  id: string;
  schema: unknown;
  tests: { description: string; data: unknown; valid: boolean }[];
}

function readRows<T>(file: string): T[] {
  const packed = readFileSync(new URL(`./fixtures/${file}`, import.meta.url));
  return gunzipSync(packed)
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** A schema that says `properties` or `items` without a type is meant for objects or arrays alone. */
function isOfAnotherKind({ schema }: Row, data: unknown): boolean {
  const says = (keys: string[]) => keys.some((key) => Object.hasOwn(schema as object, key));
  const isObject = typeof data === 'object' && data !== null && !Array.isArray(data);
  if (Object.hasOwn(schema as object, 'type')) return false;
  if (says(['items', 'prefixItems']) && !Array.isArray(data)) return true;
  return (
    says(['properties', 'required', 'patternProperties', 'additionalProperties']) && (!isObject || holdsOtherKind(data))
  );
}

/** `{ "foo": false }` under a recursive schema without type: the same, one level down. */
function holdsOtherKind(data: object): boolean {
  return Object.values(data).some((value) => typeof value !== 'object' || (value !== null && holdsOtherKind(value)));
}

describe('the JSON-Schema-Test-Suite', () => {
  const rows = readRows<Row>('json-schema-test-suite.jsonl.gz');
  let compiled: CompiledCase[];
  beforeAll(() => {
    compiled = compileCases(
      rows.map(({ id, schema, tests }) => {
        const { type, declarations } = schemaToTypeScript(schema, { name: 'Case' });
        return {
          name: id,
          declarations: `${declarations}type Value = ${type};`,
          statements: tests.map(({ data }, index) => `const v${index}: Value = ${JSON.stringify(data)};`),
        };
      }),
    );
  }, 60_000);

  test('every type compiles, without any', () => {
    expect(compiled.flatMap((result) => result.errors)).toEqual([]);
    expect(compiled.reduce((sum, result) => sum + result.anyCount, 0)).toBe(0);
  });

  test('of 2,252 valid instances 50 are refused, nearly all because a schema without type is read as it is meant', () => {
    const refused: string[] = [];
    let valid = 0;
    let otherKind = 0;
    for (const [index, row] of rows.entries()) {
      for (const [at, item] of row.tests.entries()) {
        if (!item.valid) continue;
        valid++;
        if (compiled[index]!.statements[at] === undefined) continue;
        if (isOfAnotherKind(row, item.data)) otherKind++;
        else refused.push(`${row.id} | ${item.description}`);
      }
    }
    expect(refused).toEqual([
      'draft7/ref#$ref prevents a sibling $id from changing the base uri | $ref resolves to /definitions/base_foo, data validates',
    ]);
    expect({ valid, otherKind }).toEqual({ valid: 2_252, otherKind: 49 });
  });

  test('of 1,882 invalid instances at least 560 are refused', () => {
    const refused = rows.flatMap((row, index) =>
      row.tests.filter((item, at) => !item.valid && compiled[index]!.statements[at] !== undefined),
    );
    expect(refused.length).toBeGreaterThanOrEqual(560);
  });
});

test('schemas that another converter is tested with all compile, without any', () => {
  const rows = readRows<{ name: string; schema: unknown }>('converter-schemas.jsonl.gz');
  const compiled = compileCases(
    rows.map(({ name, schema }) => {
      const { type, declarations } = schemaToTypeScript(schema, { name: 'Case' });
      return { name, declarations: `${declarations}type Value = ${type};`, statements: [] };
    }),
  );
  expect(rows.length).toBe(86);
  expect(compiled.flatMap((result, index) => result.errors.map((error) => `${rows[index]!.name}: ${error}`))).toEqual(
    [],
  );
  expect(compiled.reduce((sum, result) => sum + result.anyCount, 0)).toBe(0);
}, 60_000);
