// Plain requests to a server whose answers are taken as they come and read field by field by whoever asked.
import type { Client, RequestOptions, StandardSchemaV1 } from '@modelcontextprotocol/client';
import { McpClientError } from './errors.ts';

/** A JSON object of unknown content. */
export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The client's own result schemas refuse a whole answer for one odd field in one of a thousand tools, and compile the
 * server's schemas to code; here every object passes and each reader decides what it can use.
 */
const anyObject: StandardSchemaV1<unknown, JsonRecord> = {
  '~standard': {
    version: 1,
    vendor: 'codeseam',
    validate: (value) => (isRecord(value) ? { value } : { issues: [{ message: 'the result is not an object' }] }),
  },
};

/** Sends one request. Rejects with the SDK's errors. `timeout` is in milliseconds. */
export function mcpRequest(
  client: Client,
  method: string,
  params: Record<string, unknown> | undefined,
  options: RequestOptions,
): Promise<JsonRecord> {
  return client.request(params === undefined ? { method } : { method, params }, anyObject, options);
}

const MAX_PAGES = 1_000;
const MAX_ITEMS = 100_000;

/** All items of a paged list (`key` is `tools`, `resources`, …). A cursor that comes again ends the walk. */
export async function mcpListAll(
  client: Client,
  method: string,
  key: string,
  options: RequestOptions,
): Promise<unknown[]> {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const result = await mcpRequest(client, method, cursor === undefined ? undefined : { cursor }, options);
    const pageItems = result[key];
    if (!Array.isArray(pageItems))
      throw new McpClientError('INVALID_RESULT', `${method} answered without a "${key}" array`);
    items.push(...pageItems);
    if (items.length > MAX_ITEMS)
      throw new McpClientError('INVALID_RESULT', `${method} lists over ${MAX_ITEMS} entries`);
    const next = result['nextCursor'];
    if (typeof next !== 'string' || next === '' || seen.has(next)) return items;
    seen.add(next);
    cursor = next;
  }
  throw new McpClientError('INVALID_RESULT', `${method} has over ${MAX_PAGES} pages`);
}
