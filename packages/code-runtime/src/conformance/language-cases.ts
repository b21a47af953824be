// Languages: types are taken away, and lines stay where they were.
import assert from 'node:assert/strict';
import type { CodeRuntime } from '../types.ts';
import { type ConformanceCase, failure, value } from './case.ts';

const typescript = (runtime: CodeRuntime) => runtime.languages.includes('typescript');

export const languageCases: ConformanceCase[] = [
  {
    name: 'runs TypeScript, labelled or not',
    applies: typescript,
    async run({ runtime }) {
      const program = `
        interface Row { id: number; name?: string }
        type Rows = readonly Row[];
        enum Level { Low = 1, High = 4 }
        namespace Shapes { export const side = 2; }
        class Box<T> { constructor(private readonly value: T, public label: string = 'box') {} get(): T { return this.value; } }
        const rows: Rows = [{ id: 1 }, { id: 2, name: 'two' }] satisfies Row[];
        function pick<T extends Row>(list: readonly T[], at: number): T { return list[at]!; }
        const text = \`<T>\${(rows[0] as Row).id}\`;
        return [pick(rows, 1).name, Level.High, Level[1], Shapes.side, new Box<number>(5).get(), new Box(1).label, text];`;
      const expected = ['two', 4, 'Low', 2, 5, 'box', '<T>1'];
      assert.deepEqual(await value(runtime, { program, language: 'typescript' }), expected);
      assert.deepEqual(await value(runtime, program), expected);
    },
  },
  {
    name: 'reads an unlabelled program as JavaScript first',
    async run({ runtime }) {
      assert.equal(await value(runtime, 'const a = 1, b = 2, c = 3; return a < b > (c);'), false);
    },
  },
  {
    name: 'forbids types in a program labelled as JavaScript',
    applies: (runtime) => runtime.languages.includes('javascript'),
    async run({ runtime }) {
      const error = await failure(
        runtime,
        { program: 'const a = 1;\nconst b: number = 2;\nreturn a + b;', language: 'javascript' },
        'syntax',
      );
      assert.equal(error.line, 2);
      assert.equal(await value(runtime, { program: 'return 1;', language: 'javascript' }), 1);
    },
  },
  {
    name: 'keeps lines and columns when types are stripped',
    applies: typescript,
    async run({ runtime }) {
      const lines = [
        '/* a comment',
        '   of two lines */',
        'interface Wide {',
        '  a: string;',
        '',
        '  b: number;',
        '}',
        'type Alias = Wide | null;',
        'const wide: Alias = null as unknown as Wide;',
        'const n: number = 1; (wide as Wide).a.length;',
      ];
      for (const language of ['typescript', undefined] as const) {
        const error = await failure(
          runtime,
          { program: lines.join('\n'), ...(language ? { language } : {}) },
          'exception',
        );
        assert.equal(error.line, 10);
        // Engines point at the property, or at the beginning of the expression.
        const column = error.column ?? 0;
        assert.ok(column > lines[9]!.indexOf('(wide') && column <= lines[9]!.indexOf('.a') + 2, `column ${column}`);
      }
    },
  },
  {
    name: 'reports the place of a TypeScript syntax error as it was sent',
    applies: typescript,
    async run({ runtime }) {
      const error = await failure(
        runtime,
        { program: 'interface A {\n  a: string;\n}\nconst x: = 1;', language: 'typescript' },
        'syntax',
      );
      assert.equal(error.line, 4);
    },
  },
  {
    name: 'says of a program in no language of its own that it is a syntax error',
    async run({ runtime }) {
      for (const program of [
        'ls -la | grep x',
        'def f(x):\n    return x',
        'SELECT * FROM t WHERE a = 1;',
        '<html><body></body></html>',
      ]) {
        await failure(runtime, program, 'syntax', 'exception');
      }
    },
  },
];
