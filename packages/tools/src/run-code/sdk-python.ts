// The SDK section for programs in Python: TypedDicts, a Protocol with docstrings, and how to write a program.
import { schemaToPython } from '@codeseam/schema-types';
import type { Tool } from '../types.ts';
import type { SdkRenderer } from './sdk-renderer.ts';

const KEYWORDS = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if import in is
  lambda nonlocal not or pass raise return try while with yield match case type self`.split(/\s+/),
);

/** What the declarations take from `typing`; no tool's type may have such a name. */
const TYPING = [
  'Any',
  'Awaitable',
  'Callable',
  'Literal',
  'Never',
  'NotRequired',
  'Protocol',
  'TypeAlias',
  'TypedDict',
  'Union',
  'overload',
] as const;

export const pythonSdk: SdkRenderer = {
  languageName: 'Python',
  example: (tool) => `await ${member(tool.wireName)}({})`,
  instructions: ({ maxParallelSubCalls }) => `# Programs for run_code

\`run_code\` takes \`code\` (required), the body of an async Python function, and \`description\`, a few words for people on what the program does. In a program:

- Call a tool with one dict: \`result = await tools.name({ … })\`; a name that is no identifier goes in brackets: \`await tools["odd-name"]({ … })\`. It gives the tool's JSON value, typed below.
- Only what you \`return\` or \`print\` is sent back. Results of calls stay in the program: take from them what you need.
- Independent calls that only read may overlap: \`await asyncio.gather(…)\` (up to ${maxParallelSubCalls} at once). Calls that change something run alone, in the order in which you make them.
- A call that fails raises \`ToolCallError\` (\`toolName\`, \`code\`, and \`str(error)\` for the message); catch it where the program can go on without the result.
- Arguments and the returned value are plain JSON: dicts with string keys, lists, strings, finite numbers, booleans, None. There are no files and no network, only \`tools\`. Time, memory and output of a run are bounded; a run over a bound fails and says which.`,
  declarations(tools) {
    const taken = new Set<string>(['Tools', 'ToolCallError', 'tools', 'asyncio', ...TYPING]);
    const declarations: string[] = [];
    const methods: string[] = [];
    const items: string[] = [];
    for (const tool of tools) {
      const input = schemaToPython(tool.parameters, { name: `${tool.wireName} args`, io: 'input', taken });
      const output = tool.outputSchema
        ? schemaToPython(tool.outputSchema, { name: `${tool.wireName} result`, io: 'output', taken })
        : { type: 'Any', declarations: '' };
      declarations.push(input.declarations, output.declarations);
      if (isAttribute(tool.wireName)) {
        methods.push(
          `    async def ${tool.wireName}(self, args: ${input.type}${takesNothing(tool) ? ' = ...' : ''}) -> ${output.type}:\n${docstring(tool)}\n`,
        );
      } else {
        items.push(
          `    @overload\n    def __getitem__(self, name: Literal[${pythonString(tool.wireName)}]) -> Callable[[${input.type}], Awaitable[${output.type}]]:\n${docstring(tool)}\n`,
        );
      }
    }
    const body = [...methods, ...items].join('\n') || '    pass\n';
    return `\`\`\`python
import asyncio
from typing import ${TYPING.join(', ')}

${joined(declarations)}class ToolCallError(Exception):
    toolName: str
    code: str | None

class Tools(Protocol):
${body}
tools: Tools
\`\`\``;
  },
};

function joined(declarations: readonly string[]): string {
  return declarations
    .filter((text) => text !== '')
    .map((text) => `${text.trimEnd()}\n\n`)
    .join('');
}

function isAttribute(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !KEYWORDS.has(name) && !/^__/.test(name);
}

function member(name: string): string {
  return isAttribute(name) ? `tools.${name}` : `tools[${pythonString(name)}]`;
}

function pythonString(text: string): string {
  return JSON.stringify(text);
}

function takesNothing(tool: Tool): boolean {
  const required = tool.parameters['required'];
  return !Array.isArray(required) || required.length === 0;
}

/** A docstring of one line; the closer, backslashes and backtick fences cannot break out. */
function docstring({ description }: Tool): string {
  const line = description
    .replace(/\s+/g, ' ')
    .trim()
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('```', "'''");
  return line === '' ? '        ...' : `        """${line}"""`;
}
