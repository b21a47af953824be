// Names and descriptions of servers are untrusted: whatever they hold, a file declares what it should and nothing else.

import fc from 'fast-check';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { describeMcp } from './index.ts';

const piece = fc.oneof(
  fc.constantFrom(
    '*/',
    '/*',
    '*',
    '/',
    '*\\/',
    '//',
    '`',
    '${',
    '}',
    '"',
    "'",
    '\\',
    '\n',
    '\r',
    '\u2028',
    '\u2029',
    '\0',
    '\u202e',
    '\ud800',
    '@param x',
    '\n * @deprecated',
  ),
  fc.constantFrom(
    '} declare namespace Evil {',
    'function evil(): void;',
    '; type Evil = 1;',
    '</script>',
    '*/ export const evil = 1; /*',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));

/** Names of all that a text declares, in order, members of object types apart. */
function declaredNames(content: string): string[] {
  const source = ts.createSourceFile('a.d.ts', content, ts.ScriptTarget.ES2022, true);
  expect((source as unknown as { parseDiagnostics: unknown[] }).parseDiagnostics).toEqual([]);
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) || ts.isTypeAliasDeclaration(node)) names.push(node.name!.text);
    else if (ts.isModuleDeclaration(node)) {
      names.push(node.name.text);
      ts.forEachChild(node, visit);
    } else if (ts.isModuleBlock(node)) ts.forEachChild(node, visit);
    else if (
      !ts.isIdentifier(node) &&
      node.kind !== ts.SyntaxKind.EndOfFileToken &&
      node.kind !== ts.SyntaxKind.DeclareKeyword
    )
      names.push(ts.SyntaxKind[node.kind]!);
  };
  ts.forEachChild(source, visit);
  return names;
}

test('files declare only the expected names', () => {
  fc.assert(
    fc.property(text, text, text, text, text, (name, title, description, key, value) => {
      const api = describeMcp([
        {
          name: 'server',
          title,
          version: value,
          instructions: description,
          tools: [
            {
              name,
              title,
              description,
              inputSchema: {
                type: 'object',
                title,
                description,
                properties: {
                  [key]: {
                    type: 'string',
                    description: value,
                    default: value,
                    format: title,
                    pattern: description,
                    examples: [value],
                  },
                  list: {
                    type: 'array',
                    description,
                    items: { enum: [value, title], description: value, deprecated: true },
                  },
                },
                patternProperties: { [`^${name}`]: { const: value } },
                required: [key],
              },
            },
          ],
        },
      ]);
      const [server] = api.servers;
      const tool = server!.tools[0]!.identifier;
      expect(declaredNames(api.read('mcp/server.d.ts').content)).toEqual(['MCP', 'server', '$api', tool]);
      expect(declaredNames(api.header('server', tool).header)).toEqual(['MCP', 'server', tool]);
      const index = declaredNames(api.header().header);
      expect(index).toEqual(declaredNames(describeMcp([]).header().header));
    }),
    { numRuns: 400 },
  );
});
