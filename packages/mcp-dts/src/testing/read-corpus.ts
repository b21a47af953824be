// For tests: the tools of 69 real MCP servers. Where they are from is told in fixtures/README.md.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parseCatalogs } from '../parse-catalogs.ts';
import type { McpServerCatalog } from '../types.ts';

/** All servers as catalogs, without their instructions. */
export function readCorpus(): McpServerCatalog[] {
  const packed = readFileSync(new URL('../fixtures/mcp-corpus.json.gz', import.meta.url));
  return parseCatalogs(JSON.parse(gunzipSync(packed).toString('utf8')));
}
