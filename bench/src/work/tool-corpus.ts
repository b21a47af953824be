// The tools of 69 real MCP servers, as cases measure with them.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

export interface CorpusTool {
  owner: string;
  name: string;
  description: string;
  /** As the server gave it. */
  parameters: { readonly [keyword: string]: unknown };
}

interface PackedServer {
  tools: { name: string; description?: string; inputSchema?: unknown }[];
}

/** Where they are from is told in the README beside the file. */
const PACKED = new URL('../../../packages/mcp-dts/src/fixtures/mcp-corpus.json.gz', import.meta.url);

export function readToolCorpus(): CorpusTool[] {
  const servers = JSON.parse(gunzipSync(readFileSync(findPacked())).toString('utf8')) as Record<string, PackedServer>;
  return Object.entries(servers).flatMap(([owner, { tools }]) =>
    tools.map(({ name, description = '', inputSchema }) => ({
      owner,
      name,
      description,
      parameters: typeof inputSchema === 'object' && inputSchema !== null ? { ...inputSchema } : { type: 'object' },
    })),
  );
}
