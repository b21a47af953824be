// The tools of 69 real MCP servers, as cases measure with them.
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

export interface CorpusTool {
  owner: string;
  name: string;
  description: string;
  /** As the server gave it. */
  parameters: { readonly [keyword: string]: unknown };
}

interface PackedServer {
  tools: { name: string; description?: string | null; inputSchema?: unknown }[];
}

/** Where they are from is told in the README beside the file. */
const PACKED = 'packages/mcp-dts/src/fixtures/mcp-corpus.json.gz';

/** From the sources as from the build, whose chunks lie elsewhere. */
export function findPacked(): URL {
  for (let at = new URL('.', import.meta.url); ; at = new URL('..', at)) {
    const file = new URL(PACKED, at);
    if (existsSync(file)) return file;
    if (at.pathname === '/') throw new Error(`${PACKED} is not there`);
  }
}

export function readToolCorpus(): CorpusTool[] {
  const servers = JSON.parse(gunzipSync(readFileSync(findPacked())).toString('utf8')) as Record<string, PackedServer>;
  return Object.entries(servers).flatMap(([owner, { tools }]) =>
    tools.map(({ name, description, inputSchema }) => ({
      owner,
      name,
      description: description ?? '',
      parameters: typeof inputSchema === 'object' && inputSchema !== null ? { ...inputSchema } : { type: 'object' },
    })),
  );
}
