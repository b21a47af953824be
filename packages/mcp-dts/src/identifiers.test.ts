import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { identifiersOf, toCamelIdentifier } from './identifiers.ts';
import { nameHash } from './name-hash.ts';
import { RESERVED_SERVER_NAMES, RESERVED_TOOL_NAMES } from './reserved-words.ts';

const IDENTIFIER = /^[\p{ID_Start}_][\p{ID_Continue}]*$/u;

function lone(name: string): string {
  return identifiersOf([name], RESERVED_TOOL_NAMES).get(name)!;
}

describe('the identifier of a name that stands alone', () => {
  test.each([
    ['create_issue', 'createIssue'],
    ['chrome-devtools', 'chromeDevtools'],
    ['get-sum', 'getSum'],
    ['createIssue', 'createIssue'],
    ['CreateIssue', 'createIssue'],
    ['acs.v1.accessRecord.list', 'acsV1AccessRecordList'],
    ['API-get-user', 'apiGetUser'],
    ['HTTPServer', 'httpServer'],
    ['GET_ALL', 'getAll'],
    ['名前', '名前'],
    ['größe_messen', 'größeMessen'],
    ['a b/c:d', 'aBCD'],
    ['3d-render', '_3dRender'],
    ['export', 'export_'],
    ['delete', 'delete_'],
    ['await', 'await_'],
    ['then', 'then_'],
    ['constructor', 'constructor_'],
    ['resources', 'resources_'],
    ['prompts', 'prompts_'],
    ['$api', 'api'],
    ['__proto__', 'proto'],
  ])('%j is %s', (name, identifier) => {
    expect(lone(name)).toBe(identifier);
  });

  test('names without letters and very long ones are identifiers of bounded length', () => {
    for (const name of ['', '---', '🎉', 'x'.repeat(300), '9'.repeat(300)]) {
      expect(lone(name)).toMatch(IDENTIFIER);
      expect(lone(name).length).toBeLessThanOrEqual(90);
    }
    expect(lone('x'.repeat(300))).not.toBe(lone('x'.repeat(301)));
  });
});

describe('names that meet in one form', () => {
  test('all get a suffix of their own, whatever the order', () => {
    const identifiers = identifiersOf(['get_sum', 'get-sum', 'getSum'], RESERVED_TOOL_NAMES);
    expect(new Set(identifiers.values()).size).toBe(3);
    for (const identifier of identifiers.values()) expect(identifier).toMatch(/^getSum_[0-9a-z]{6}$/);
    expect(new Map([...identifiersOf(['getSum', 'get-sum', 'get_sum'], RESERVED_TOOL_NAMES)].sort())).toEqual(
      new Map([...identifiers].sort()),
    );
  });

  test('a suffix depends on the name alone', () => {
    const two = identifiersOf(['a_b', 'a-b'], RESERVED_TOOL_NAMES);
    const three = identifiersOf(['a_b', 'a-b', 'aB', 'other'], RESERVED_TOOL_NAMES);
    expect(three.get('a_b')).toBe(two.get('a_b'));
    expect(three.get('a-b')).toBe(two.get('a-b'));
  });

  test('names whose short hashes agree get longer suffixes', () => {
    const byHash = new Map<string, string>();
    let pair: [string, string] | undefined;
    for (let bits = 0; pair === undefined; bits++) {
      // All of these read `aaaa…` in camelCase: separators are put by the bits of a number.
      const name = [...bits.toString(2).padStart(17, '0')].map((bit) => (bit === '0' ? '-' : '.')).join('a');
      const short = nameHash(name, 0).slice(0, 4);
      const other = byHash.get(short);
      if (other !== undefined) pair = [other, name];
      byHash.set(short, name);
    }
    const [first, second] = identifiersOf(pair, RESERVED_TOOL_NAMES).values();
    expect(first).not.toBe(second);
  });

  test('servers are told apart even where case is folded, and from file names with a meaning', () => {
    const identifiers = identifiersOf(['fooBar', 'foobar', 'index', 'CON'], RESERVED_SERVER_NAMES, { foldCase: true });
    expect(new Set([...identifiers.values()].map((name) => name.toLowerCase())).size).toBe(4);
    expect(identifiers.get('index')).toBe('index_');
    expect(identifiers.get('CON')).toBe('con_');
  });
});

const word = fc.oneof(
  fc.constantFrom('get', 'sum', 'Sum', 'GET', 'x', '1', '名', 'é', 'delete', 'resources', ''),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const name = fc.oneof(
  fc
    .tuple(fc.array(word, { maxLength: 3 }), fc.constantFrom('_', '-', '.', '', ' ', '$', '__'))
    .map(([words, by]) => words.join(by)),
  fc.string({ unit: 'binary', maxLength: 80 }),
);

describe('for any names', () => {
  test('identifiers are valid, unreserved and unique', () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 12 }), (names) => {
        const identifiers = identifiersOf(names, RESERVED_TOOL_NAMES);
        expect(new Set(identifiers.values()).size).toBe(new Set(names).size);
        for (const identifier of identifiers.values()) {
          expect(identifier).toMatch(IDENTIFIER);
          expect(RESERVED_TOOL_NAMES.has(identifier)).toBe(false);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('an identifier never moves to another name when more names appear', () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 8 }), fc.array(name, { maxLength: 4 }), (names, more) => {
        const before = identifiersOf(names, RESERVED_TOOL_NAMES);
        const after = identifiersOf([...more, ...names], RESERVED_TOOL_NAMES);
        const owner = new Map([...after].map(([raw, identifier]) => [identifier, raw]));
        for (const [raw, identifier] of before) {
          const now = owner.get(identifier);
          if (now !== undefined) expect(now).toBe(raw);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('the camelCase form never holds what marks altered names', () => {
    fc.assert(
      fc.property(name, (raw) => {
        const { base } = toCamelIdentifier(raw);
        expect(base.replace(/^_/, '')).not.toContain('_');
      }),
    );
  });
});
