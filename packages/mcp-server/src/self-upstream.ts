// Keeps a front from being its own upstream: through a child process that serves the same config, or over HTTP.
import { McpFrontError } from './errors.ts';

/** The fronts above this process, outermost first; `@codeseam/mcp-client` hands it on to the servers it starts. */
const CHAIN = 'CODESEAM_SERVING';
const LONGEST_CHAIN = 8;

/**
 * Says that this process serves the config of this identity (its file's real path, say). Call it before any server is
 * started: those that are inherit the claim. Throws `SELF_UPSTREAM` where a process above serves the same already,
 * or where fronts stand behind fronts more than eight deep. Gives its undo.
 */
export function claimServing(identity: string, env: NodeJS.ProcessEnv = process.env): () => void {
  const before = env[CHAIN];
  const chain = readChain(before);
  if (chain.includes(identity)) {
    throw new McpFrontError('SELF_UPSTREAM', `${identity} is being served by a process above this one already`, {
      hint: 'remove codeseam itself from the MCP servers of its config',
    });
  }
  if (chain.length >= LONGEST_CHAIN) {
    throw new McpFrontError('SELF_UPSTREAM', `${chain.length} fronts stand behind each other already`);
  }
  env[CHAIN] = JSON.stringify([...chain, identity]);
  return () => {
    if (before === undefined) delete env[CHAIN];
    else env[CHAIN] = before;
  };
}

function readChain(text: string | undefined): string[] {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(parsed) ? parsed.filter((entry) => typeof entry === 'string') : [];
  } catch {
    return [];
  }
}

/** The ids of the fronts of this process, shared by every copy of the packages in it. */
const FRONTS = Symbol.for('codeseam.mcpFronts');

/** Makes a front known to the MCP client of this process, which refuses to connect to it. Gives its undo. */
export function announceFront(id: string): () => void {
  const holder = globalThis as { [FRONTS]?: Set<string> };
  holder[FRONTS] ??= new Set();
  holder[FRONTS].add(id);
  return () => holder[FRONTS]?.delete(id);
}
