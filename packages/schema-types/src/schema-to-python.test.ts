// Python declarations, run by a real interpreter and checked by a real type checker.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { PYTHON_IMPORTS, pythonDocstring, schemaToPython } from './index.ts';

/** Set where there is no Python new enough for `typing.NotRequired`. */
const missing =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status !== 0
    ? 'python3 3.11 or newer is not installed'
    : '';

const folder = mkdtempSync(join(tmpdir(), 'codeseam-python-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Case {
  name: string;
  schema: unknown;
}

const casesFolder = new URL('./fixtures/cases/', import.meta.url);
const cases = readdirSync(casesFolder).flatMap((file): Case[] =>
  JSON.parse(readFileSync(new URL(file, casesFolder), 'utf8')),
);

function moduleOf(schema: unknown): string {
  const { type, declarations } = schemaToPython(schema, { name: 'Case' });
  return `${PYTHON_IMPORTS}\n${declarations}\n\ndef use(value: ${type}) -> None: ...\n`;
}

/** Compiles and runs each text; prints the numbers of those that fail, with the error. */
const RUN_ALL = `
import json, sys
for number, text in enumerate(json.load(sys.stdin)):
    try:
        exec(compile(text, str(number), 'exec'), {})
    except BaseException as error:
        print(number, repr(error)[:300])
`;

function failuresOf(texts: readonly string[]): string {
  return execFileSync('python3', ['-c', RUN_ALL], { input: JSON.stringify(texts), encoding: 'utf8' });
}

test('an object is a TypedDict with docstrings, required keys first', () => {
  const schema = {
    type: 'object',
    description: 'A person',
    properties: {
      name: { type: 'string', description: 'Full name' },
      age: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null },
      address: { type: 'object', properties: { 'postal-code': { type: 'string', description: 'Digits' } } },
      kind: { enum: ['a', 1, true, null, 1.5] },
      friends: { type: 'array', items: { $ref: '#' } },
    },
    required: ['name'],
  };
  expect(schemaToPython(schema, { name: 'person' })).toEqual({
    type: 'PersonRoot',
    declarations: `PersonRootAddress = TypedDict("PersonRootAddress", {
    # Digits
    "postal-code": NotRequired[str],
})

class PersonRoot(TypedDict):
    """A person"""
    name: str
    """Full name"""
    address: NotRequired[PersonRootAddress]
    age: NotRequired[Union[int, None]]
    """default: null"""
    friends: NotRequired[list["PersonRoot"]]
    kind: NotRequired[Union[Literal["a", 1, True], None, float]]
`,
    complete: true,
  });
});

test('types that need no declaration are given as they are', () => {
  const typeOf = (schema: unknown) => schemaToPython(schema, { name: 'X' });
  expect(typeOf({ type: 'array', items: { type: 'string' } })).toEqual({
    type: 'list[str]',
    declarations: '',
    complete: true,
  });
  expect(typeOf({ type: 'object', additionalProperties: { type: 'number' } }).type).toBe('dict[str, float]');
  expect(typeOf({ type: 'object' }).type).toBe('dict[str, Any]');
  expect(typeOf({ prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false }).type).toBe(
    'list[Union[str, int]]',
  );
  expect(typeOf(false).type).toBe('Never');
});

test('a recursive alias is quoted', () => {
  const schema = {
    $ref: '#/$defs/J',
    $defs: { J: { anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/$defs/J' } }] } },
  };
  expect(schemaToPython(schema, { name: 'X' })).toMatchObject({
    type: 'XJ',
    declarations: 'XJ: TypeAlias = "Union[str, list[XJ]]"\n',
  });
});

describe('the declarations of all cases', () => {
  test.skipIf(missing !== '')('compile and run', () => {
    expect(failuresOf(cases.map((item) => moduleOf(item.schema)))).toBe('');
  });

  test('pass a type checker', () => {
    for (const [index, item] of cases.entries()) writeFileSync(join(folder, `case_${index}.py`), moduleOf(item.schema));
    const good = `${moduleOf({ type: 'object', properties: { a: { type: 'string' }, b: { enum: ['x', 'y'] } }, required: ['a'] })}use({"a": "s", "b": "x"})\n`;
    const bad = good.replace('"b": "x"', '"b": "z"');
    writeFileSync(join(folder, 'good.py'), good);
    writeFileSync(join(folder, 'bad.py'), bad);
    const checker = createRequire(import.meta.url).resolve('pyright/index.js');
    const { stdout } = spawnSync(process.execPath, [checker, '--outputjson', folder], {
      encoding: 'utf8',
      maxBuffer: 1e8,
    });
    const found: { file: string; message: string; severity: string }[] = JSON.parse(stdout).generalDiagnostics;
    const errors = found
      .filter((item) => item.severity === 'error')
      .map((item) => `${item.file.split(/[\\/]/).at(-1)}: ${item.message}`);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/^bad\.py: .*Literal\['z'\]/s);
  }, 180_000);
});

const piece = fc.oneof(
  fc.constantFrom('"""', '"', "'", '\\', '\n', '\r', '#', '\0', '\u2028', '\\N{BULLET}', '\ud800', 'import os'),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));

test.skipIf(missing !== '')('untrusted text stays inside its strings and comments', () => {
  const schemas = fc.sample(
    fc.record({ key: text, description: text, value: text }).map(({ key, description, value }) => ({
      type: 'object',
      description,
      properties: {
        [key]: { type: 'string', description, default: value },
        plain: { enum: [value], description },
        inner: { type: 'object', description, properties: { a: { description } } },
      },
      required: [key],
    })),
    { numRuns: 150, seed: 5 },
  );
  const texts = schemas.map(
    (schema) =>
      `${moduleOf(schema)}names = [name for name in globals() if not name.startswith('__')]\nassert set(names) <= {'Any', 'Literal', 'Never', 'NotRequired', 'TypeAlias', 'TypedDict', 'Union', 'Case', 'CaseInner', 'use'}, names\n`,
  );
  expect(failuresOf(texts)).toBe('');
});

test('a docstring keeps its text', () => {
  expect(pythonDocstring('say "hi"\\ """\nnext')).toBe('"""say \\"hi\\"\\\\ \\"\\"\\"\nnext"""');
});
