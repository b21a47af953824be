import { Context } from 'cordis';
import Schema from 'schemastery';
import { describe, expect, test } from 'vitest';
import { ConfigError, strictConfig } from './index.ts';

function violationsOf(config: () => unknown): string[] {
  try {
    config();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).violations.map(({ path, message }) => `${path}: ${message}`);
  }
  return [];
}

const limits = Schema.object({
  computeMs: Schema.natural().min(1).max(600_000).default(10_000),
  ratio: Schema.number().min(0).max(1),
  workers: Schema.natural().min(1).max(64),
  mode: Schema.union(['fast', 'safe'] as const).default('safe'),
  nested: Schema.object({ depth: Schema.natural().default(3), label: Schema.string() }),
});

describe('strictConfig', () => {
  test('fills in defaults, nested ones too, and leaves the given object alone', () => {
    const given = { nested: { label: 'x' } };
    const config = strictConfig(limits);
    expect(config(given)).toEqual({ computeMs: 10_000, mode: 'safe', nested: { depth: 3, label: 'x' } });
    expect(given).toEqual({ nested: { label: 'x' } });
    expect(config()).toEqual({ computeMs: 10_000, mode: 'safe', nested: { depth: 3 } });
    expect(config(null)).toEqual(config({}));
  });

  test('gives each caller its own defaults', () => {
    const config = strictConfig(Schema.object({ list: Schema.array(String).default(['a']) }));
    config().list.push('b');
    expect(config().list).toEqual(['a']);
  });

  test('lists every violation with its path, value and range', () => {
    const config = strictConfig(limits, { name: 'the runtime' });
    let error: unknown;
    try {
      config({ computeMs: 700_000, worker: 2, ratio: 'x', mode: 'fsat', nested: { depth: 1.5, labell: 'y' } } as never);
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({ name: 'ConfigError', code: 'invalid_config' });
    expect((error as ConfigError).message).toBe(
      [
        'invalid config of the runtime:',
        '  - computeMs: expected a whole number from 1 to 600000, got 700000',
        '  - ratio: expected a number from 0 to 1, got "x"',
        '  - mode: expected "fast" or "safe", got "fsat"; did you mean "fast"?',
        '  - nested.depth: expected a whole number of at least 0, got 1.5',
        '  - nested.labell: unknown key, did you mean label?',
        '  - worker: unknown key, did you mean workers?',
      ].join('\n'),
    );
    expect((error as ConfigError).violations[0]).toEqual({
      path: 'computeMs',
      message: 'expected a whole number from 1 to 600000, got 700000',
      value: 700_000,
      allowed: 'a whole number from 1 to 600000',
    });
  });

  test('says which keys are known if none is near', () => {
    const config = strictConfig(Schema.object({ a: Number, b: Number }));
    expect(violationsOf(() => config({ a: 1, b: 2, zzzz: 1 }))).toEqual(['zzzz: unknown key, known keys: a, b']);
  });

  test.each([
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [null, 'null'],
    ['5', '"5"'],
    [0, '0'],
    [65, '65'],
    [1.5, '1.5'],
    [[], 'a list'],
    [{}, 'an object'],
    [true, 'true'],
  ])('never clamps or converts a number: %j', (workers, shown) => {
    const config = strictConfig(limits);
    expect(violationsOf(() => config({ workers } as never))).toEqual([
      `workers: expected a whole number from 1 to 64, got ${shown}`,
    ]);
  });

  test('does not let `loose` replace a bad value', () => {
    const config = strictConfig(Schema.object({ n: Schema.number().max(3).default(1).loose() }));
    expect(violationsOf(() => config({ n: 9 }))).toEqual(['n: expected a number of at most 3, got 9']);
  });

  test('names what is missing', () => {
    const config = strictConfig(Schema.object({ command: Schema.string().required(), args: Schema.array(String) }));
    expect(violationsOf(() => config({ args: ['x', 3, null] } as never))).toEqual([
      'command: missing, expected a string',
      'args[1]: expected a string, got 3',
      'args[2]: expected a string, got null',
    ]);
  });

  test('checks dictionaries, their keys and what is in them', () => {
    const server = Schema.object({ command: Schema.string().required() });
    const config = strictConfig(Schema.object({ servers: Schema.dict(server, Schema.string().pattern(/^[a-z]+$/)) }));
    expect(config({ servers: { a: { command: 'x' } } })).toEqual({ servers: { a: { command: 'x' } } });
    expect(violationsOf(() => config({ servers: { 'B b': { command: 'x', cwd: '/' }, c: {} } } as never))).toEqual([
      'servers["B b"]: expected a string that matches /^[a-z]+$/, got "B b"',
      'servers["B b"].cwd: unknown key, known keys: command',
      'servers.c.command: missing, expected a string',
    ]);
  });

  test('keeps a dictionary key named __proto__ as data and refuses it elsewhere', () => {
    const config = strictConfig(Schema.object({ env: Schema.dict(String) }));
    const parsed = config(JSON.parse('{"env":{"__proto__":"x"}}'));
    expect(Object.keys(parsed.env)).toEqual(['__proto__']);
    expect(violationsOf(() => config(JSON.parse('{"__proto__":{"env":{}}}')))).toEqual([
      '__proto__: unknown key, known keys: env',
    ]);
  });

  test('tells the members of a union apart by their tag', () => {
    const transport = Schema.union([
      Schema.object({ type: Schema.const('stdio').required(), command: Schema.string().required() }),
      Schema.object({ type: Schema.const('http').required(), url: Schema.string().required() }),
    ]);
    const config = strictConfig(Schema.object({ transport }));
    expect(config({ transport: { type: 'http', url: 'u' } })).toEqual({ transport: { type: 'http', url: 'u' } });
    expect(violationsOf(() => config({ transport: { type: 'http', ulr: 'u' } } as never))).toEqual([
      'transport.url: missing, expected a string',
      'transport.ulr: unknown key, did you mean url?',
    ]);
    expect(violationsOf(() => config({ transport: { type: 'htp' } } as never))).toEqual([
      'transport.type: expected "stdio" or "http", got "htp"; did you mean "http"?',
    ]);
    expect(violationsOf(() => config({ transport: 3 } as never))).toEqual(['transport: expected an object, got 3']);
  });

  test('reports what is wrong inside the member of a union that fits best', () => {
    const config = strictConfig(Schema.object({ to: Schema.union([Boolean, Schema.object({ n: Schema.natural() })]) }));
    expect(config({ to: true })).toEqual({ to: true });
    expect(violationsOf(() => config({ to: { n: -1 } }))).toEqual([
      'to.n: expected a whole number of at least 0, got -1',
    ]);
    expect(violationsOf(() => config({ to: 'x' } as never))).toEqual([
      'to: expected true or false or an object, got "x"',
    ]);
  });

  test('knows the keys of all parts of an intersection', () => {
    const config = strictConfig(
      Schema.intersect([
        Schema.object({ a: Schema.natural().default(1) }),
        Schema.union([
          Schema.object({ kind: Schema.const('x').required(), x: Schema.string() }),
          Schema.object({ kind: Schema.const('y').required(), y: Schema.string() }),
        ]),
      ]),
    );
    expect(config({ kind: 'y', y: 'v' } as never)).toEqual({ a: 1, kind: 'y', y: 'v' });
    expect(violationsOf(() => config({ kind: 'x', y: 'v', aa: 1 } as never))).toEqual([
      'y: unknown key, known keys: a, kind, x',
      'aa: unknown key, known keys: a, kind, x',
    ]);
    expect(violationsOf(() => config(5 as never))).toEqual([': expected an object, got 5']);
  });

  test('checks tuples, transforms, classes, functions and lazy schemas', () => {
    const config = strictConfig(
      Schema.object({
        pair: Schema.tuple([Number, String]),
        when: Schema.date(),
        on: Schema.function(),
        tree: Schema.lazy(() => Schema.object({ n: Schema.natural() })),
        upper: Schema.transform(Schema.string(), (text) => {
          if (text === 'bad') throw new Error('not this word');
          return text.toUpperCase();
        }),
      }),
    );
    const on = () => 1;
    expect(config({ pair: [1, 'a'], when: '2020-01-01', on, tree: { n: 1 }, upper: 'a' } as never)).toEqual({
      pair: [1, 'a'],
      when: new Date('2020-01-01'),
      on,
      tree: { n: 1 },
      upper: 'A',
    });
    expect(
      violationsOf(() => config({ pair: [1, 'a', 2], when: 'soon', on: 1, tree: { m: 1 }, upper: 'bad' } as never)),
    ).toEqual([
      'pair: expected a list of 2, got 3 items',
      'when: expected a Date or a string, got "soon"',
      'on: expected a function, got 1',
      'tree.m: unknown key, known keys: n',
      'upper: not this word, got "bad"',
    ]);
  });

  test('does not show a secret', () => {
    const config = strictConfig(Schema.object({ token: Schema.string().role('secret').max(3) }));
    expect(violationsOf(() => config({ token: 'hunter2' }))[0]).not.toContain('hunter2');
  });

  test('is a Standard Schema that lists all issues', () => {
    const { validate } = strictConfig(limits)['~standard'];
    expect(validate({ workers: 2 })).toEqual({
      value: { computeMs: 10_000, mode: 'safe', nested: { depth: 3 }, workers: 2 },
    });
    expect(validate({ workers: 0, x: 1 })).toEqual({
      issues: [
        { message: 'expected a whole number from 1 to 64, got 0', path: ['workers'] },
        { message: expect.stringContaining('unknown key'), path: ['x'] },
      ],
    });
    expect(validate(7)).toEqual({ issues: [{ message: 'expected an object, got 7' }] });
  });

  test('serves cordis as the Config of a plugin', async () => {
    const applied: unknown[] = [];
    const plugin = {
      name: 'p',
      Config: strictConfig(limits),
      apply: (_: Context, config: unknown) => void applied.push(config),
    };
    const ctx = new Context();
    await ctx.plugin(plugin, { workers: 3 });
    expect(applied).toEqual([{ computeMs: 10_000, mode: 'safe', nested: { depth: 3 }, workers: 3 }]);
    let message = '';
    try {
      await ctx.plugin(plugin, { workers: 99, wokers: 1 } as never);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain('expected a whole number from 1 to 64, got 99 (at workers)');
    expect(message).toContain('unknown key, did you mean workers? (at wokers)');
  });
});
