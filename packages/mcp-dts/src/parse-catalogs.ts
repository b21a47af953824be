// A JSON document of tools, as `codeseam types --from` takes it, becomes catalogs.

import { McpDtsError } from './errors.ts';
import type { McpServerCatalog, McpToolInfo } from './types.ts';

/** Problems named in one error at most. */
const MAX_PROBLEMS = 8;

/**
 * Accepts `{ <server>: { tools, resources?, prompts?, title?, version?, instructions? } }`, or one object with a `tools` array (a `tools/list` result), whose server is
 * then called `server`. `resources` and `prompts` may be lists (what the server answered), `true`, or `{ list, read }` and `{ list, get }`.
 * Everything is rebuilt field by field; unknown fields are left out. Throws `McpDtsError` (`invalid_catalog`) naming each place that is wrong.
 */
export function parseCatalogs(document: unknown, options: { server?: string } = {}): McpServerCatalog[] {
  const problems: string[] = [];
  const catalogs: McpServerCatalog[] = [];
  if (!isObject(document)) {
    problems.push(`the document is ${kindOf(document)}, expected an object`);
  } else if (Array.isArray(document.tools)) {
    if (options.server === undefined || options.server === '') {
      problems.push('the document is one list of tools, and no server name was given for it');
    } else catalogs.push(parseServer(options.server, document, 'the document', problems));
  } else {
    for (const [name, value] of Object.entries(document)) {
      if (!isObject(value))
        problems.push(`${JSON.stringify(name)} is ${kindOf(value)}, expected an object with "tools"`);
      else catalogs.push(parseServer(name, value, JSON.stringify(name), problems));
    }
  }
  if (problems.length === 0 && catalogs.length > 0) return catalogs;
  if (problems.length === 0) problems.push('the document names no server');
  const shown = problems.slice(0, MAX_PROBLEMS);
  const more = problems.length - shown.length;
  throw new McpDtsError(
    'invalid_catalog',
    `No catalog of MCP tools: ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`,
    'Give { "<server>": { "tools": [...] } }, or one object with "tools" and a server name.',
  );
}

function parseServer(
  name: string,
  value: Record<string, unknown>,
  place: string,
  problems: string[],
): McpServerCatalog {
  const catalog: McpServerCatalog = { name, tools: parseTools(value.tools, `${place}.tools`, problems) };
  for (const key of ['title', 'version', 'instructions'] as const) {
    if (typeof value[key] === 'string') catalog[key] = value[key];
  }
  const resources = parseMembers(value.resources, ['list', 'read'], `${place}.resources`, problems);
  if (resources !== undefined) catalog.resources = resources;
  const prompts = parseMembers(value.prompts, ['list', 'get'], `${place}.prompts`, problems);
  if (prompts !== undefined) catalog.prompts = prompts;
  return catalog;
}

function parseTools(value: unknown, place: string, problems: string[]): McpToolInfo[] {
  if (!Array.isArray(value)) {
    problems.push(`${place} is ${kindOf(value)}, expected an array`);
    return [];
  }
  const seen = new Set<string>();
  return value.flatMap((item: unknown, index): McpToolInfo[] => {
    const where = `${place}[${index}]`;
    if (!isObject(item)) problems.push(`${where} is ${kindOf(item)}, expected a tool`);
    else if (typeof item.name !== 'string') problems.push(`${where}.name is ${kindOf(item.name)}, expected a string`);
    else if (seen.has(item.name)) problems.push(`${where}.name ${JSON.stringify(item.name)} stands there twice`);
    else {
      seen.add(item.name);
      return [parseTool(item, item.name, where, problems)];
    }
    return [];
  });
}

function parseTool(item: Record<string, unknown>, name: string, where: string, problems: string[]): McpToolInfo {
  const tool: McpToolInfo = { name };
  for (const key of ['title', 'description'] as const) {
    if (typeof item[key] === 'string') tool[key] = item[key];
  }
  for (const key of ['inputSchema', 'outputSchema'] as const) {
    const schema = item[key];
    if (schema === undefined || schema === null) continue;
    if (!isObject(schema) && typeof schema !== 'boolean')
      problems.push(`${where}.${key} is ${kindOf(schema)}, expected a JSON schema`);
    else tool[key] = schema;
  }
  if (item.annotations !== undefined) tool.annotations = item.annotations;
  return tool;
}

function parseMembers<Key extends string>(
  value: unknown,
  keys: readonly [Key, Key],
  place: string,
  problems: string[],
): Record<Key, boolean> | undefined {
  if (value === undefined || value === null || value === false) return undefined;
  const all = (has: (key: Key) => boolean) =>
    Object.fromEntries(keys.map((key) => [key, has(key)])) as Record<Key, boolean>;
  if (value === true) return all(() => true);
  if (Array.isArray(value)) return value.length === 0 ? undefined : all(() => true);
  if (isObject(value)) return all((key) => value[key] === true);
  problems.push(`${place} is ${kindOf(value)}, expected a list, true or { ${keys.join(', ')} }`);
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
