// The SDK section for programs in TypeScript and JavaScript: types of every visible tool, and how to write a program.
import { docText, propertyKey, schemaToTypeScript } from '@codeseam/schema-types';
import type { Tool } from '../types.ts';
import type { SdkRenderer } from './sdk-renderer.ts';

export const typescriptSdk: SdkRenderer = {
  languageName: 'TypeScript',
  example: (tool, argumentsText) => `await tools${memberOf(tool.wireName)}(${argumentsText})`,
  instructions: ({ maxParallelSubCalls }) => `# Programs for run_code

\`run_code\` takes \`code\` (required), the body of an async TypeScript function, and \`description\`, a few words for people on what the program does. In a program:

- Call a tool with one object: \`const result = await tools.name({ … })\`; a name that is no identifier goes in quotes: \`tools["odd-name"]({ … })\`. The promise resolves to the tool's JSON value, typed below.
- Only what you \`return\` or print with \`console.log\` is sent back. Results of calls stay in the program: take from them what you need.
- Independent calls that only read may overlap: \`await Promise.all([…])\` (up to ${maxParallelSubCalls} at once). Calls that change something run alone, in the order in which you make them.
- A call that fails rejects with \`ToolCallError\` (\`message\`, \`toolName\`, \`code\`); catch it where the program can go on without the result.
- Arguments and the returned value are plain JSON. There are no modules, no files and no network, only \`tools\`. Time, memory and output of a run are bounded; a run over a bound fails and says which.`,
  declarations(tools) {
    const taken = new Set(['ToolArgs', 'ToolResults', 'ToolCallError', 'tools']);
    const declarations: string[] = [];
    const args: string[] = [];
    const results: string[] = [];
    for (const tool of tools) {
      const key = propertyKey(tool.wireName);
      const input = schemaToTypeScript(tool.parameters, {
        name: `${tool.wireName} args`,
        io: 'input',
        taken,
        layout: 'compact',
        indent: 2,
      });
      declarations.push(outdent(input.declarations));
      args.push(`${docLine(tool)}  ${key}: ${input.type};\n`);
      const output = tool.outputSchema
        ? schemaToTypeScript(tool.outputSchema, {
            name: `${tool.wireName} result`,
            io: 'output',
            taken,
            layout: 'compact',
            indent: 2,
          })
        : { type: 'unknown', declarations: '' };
      declarations.push(outdent(output.declarations));
      results.push(`  ${key}: ${output.type};\n`);
    }
    return fence(`${declarations.join('')}interface ToolArgs {
${args.join('')}}

interface ToolResults {
${results.join('')}}

declare class ToolCallError extends Error {
  readonly toolName: string;
  readonly code?: string;
}

declare const tools: {
  readonly [Name in keyof ToolArgs]: {} extends ToolArgs[Name]
    ? (args?: ToolArgs[Name]) => Promise<ToolResults[Name]>
    : (args: ToolArgs[Name]) => Promise<ToolResults[Name]>;
};`);
  },
};

/** Named types come indented like the type that needs them, and stand at the margin. */
function outdent(declarations: string): string {
  return declarations.replace(/^ {2}/gm, '');
}

function memberOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

function docLine({ description }: Tool): string {
  const line = description.replace(/\s+/g, ' ').trim();
  return line === '' ? '' : `  /** ${docText(line)} */\n`;
}

/** A fence longer than any run of backticks inside. */
function fence(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map((run) => run[0].length));
  const mark = '`'.repeat(longest + 1);
  return `${mark}ts\n${code}\n${mark}`;
}
