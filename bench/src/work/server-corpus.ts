// The same corpus by server, with output schemas, as declarations are made of it.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type McpServerCatalog, parseCatalogs } from '@codeseam/mcp-dts';
import { findPacked } from './tool-corpus.ts';

/** Without what servers say of themselves; a smoke run leaves the largest server out. */
export function readServerCorpus(): McpServerCatalog[] {
  const catalogs = parseCatalogs(JSON.parse(gunzipSync(readFileSync(findPacked())).toString('utf8')));
  const most = process.env['BENCH_SMOKE'] ? 500 : Number.POSITIVE_INFINITY;
  return catalogs.filter(({ tools }) => tools.length <= most).map(({ name, tools }) => ({ name, tools }));
}
