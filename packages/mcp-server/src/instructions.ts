// What the server tells a model at the handshake: how this surface is used.
import type { PresentationMode, TransportName } from '@codeseam/tools';

const EXEC = `Instead of many tools this server has two. Write one small JavaScript or TypeScript program for the whole task and run it with \`exec\`:
- Its body is that of an async function: use \`await\`, and \`return\` what you need. Only what it returns or prints with \`text\` or \`json\` comes back to you.
- \`await tools.search("what you need")\` finds functions, \`await tools.describe(id)\` tells how one is called; MCP servers are under \`MCP\`: \`await API.list("mcp")\` and \`await API.read("mcp/<server>.d.ts")\` give their declarations.
- Do independent calls together with \`Promise.all\`; filter and combine results in the program, not in your answer.
- There are no modules, files or network but through those functions.
When \`exec\` answers \`waiting\`, call \`wait\` with its \`runId\` to go on; never run the same program again for that.`;

const RUN_CODE = `Write one program for the whole task and run it with \`run_code\`: its body is that of an async function over \`tools\`; only what it returns or prints comes back.`;

/** The instructions for a mode; `more` is the host's own text, added after ours. */
export function frontInstructions(
  mode: PresentationMode,
  transport: TransportName | undefined,
  more?: string,
): string | undefined {
  const own = mode === 'native' ? undefined : transport === 'exec' ? EXEC : RUN_CODE;
  const parts = [own, more].filter((part): part is string => part !== undefined && part.trim() !== '');
  return parts.length === 0 ? undefined : parts.join('\n\n');
}
