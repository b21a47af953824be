// What a server offers: its lists, each read on its own, so that one that fails leaves the others.
import { type Client, METHOD_NOT_FOUND, type RequestOptions } from '@modelcontextprotocol/client';
import { isRecord, type JsonRecord, mcpListAll } from './mcp-request.ts';

/** A tool as its server lists it, rebuilt field by field. */
export interface ListedTool {
  name: string;
  title?: string;
  description: string;
  inputSchema: JsonRecord;
  outputSchema?: JsonRecord;
  annotations: JsonRecord;
}

export type ListKind = 'tools' | 'resources' | 'prompts';
export const LIST_KINDS: readonly ListKind[] = ['tools', 'resources', 'prompts'];

/** One kind's list. `problem` is why it could not be read; the entries are then empty. */
export interface ServerList {
  /** Whether the server declares the kind. */
  declared: boolean;
  /** Whether it answered. */
  listed: boolean;
  /** Whether it should have answered, and may do so another time. */
  failed: boolean;
  tools: ListedTool[];
  /** How many entries: tools, resources (templates too), prompts. */
  count: number;
  /** Texts for people: what failed, what was left out. */
  problems: string[];
}

/** Reads one kind's list. Never rejects: a failure is a `problem`. */
export async function readList(client: Client, kind: ListKind, options: RequestOptions): Promise<ServerList> {
  const list: ServerList = { declared: false, listed: false, failed: false, tools: [], count: 0, problems: [] };
  const capabilities: JsonRecord = client.getServerCapabilities() ?? {};
  list.declared = isRecord(capabilities[kind]);
  // A few servers list tools without declaring them; nothing else is worth asking unasked.
  if (!list.declared && kind !== 'tools') return list;
  await readInto(list, client, `${kind}/list`, kind, options);
  if (kind === 'resources') await readInto(list, client, 'resources/templates/list', 'resourceTemplates', options);
  return list;
}

async function readInto(
  list: ServerList,
  client: Client,
  method: string,
  key: string,
  options: RequestOptions,
): Promise<void> {
  try {
    const items = await mcpListAll(client, method, key, options);
    list.listed = true;
    if (key === 'tools') readTools(items, list);
    else list.count += items.length;
  } catch (error) {
    // Templates are optional, and a server that declares nothing has nothing to fail at.
    if (!list.declared || method === 'resources/templates/list') return;
    list.problems.push(`${method}: ${error instanceof Error ? error.message : String(error)}`);
    list.failed = (error as { code?: unknown }).code !== METHOD_NOT_FOUND;
  }
}

function readTools(items: readonly unknown[], list: ServerList): void {
  const names = new Set<string>();
  for (const [index, item] of items.entries()) {
    const tool = readTool(item);
    if (typeof tool === 'string') list.problems.push(`tools/list entry ${index} was left out: ${tool}`);
    else if (names.has(tool.name))
      list.problems.push(`tools/list names ${JSON.stringify(tool.name)} twice; the first counts`);
    else {
      names.add(tool.name);
      list.tools.push(tool);
    }
  }
  list.count = list.tools.length;
}

/** The tool, or why it cannot be one. */
function readTool(item: unknown): ListedTool | string {
  if (!isRecord(item)) return 'not an object';
  const { name, title, description, inputSchema, outputSchema, annotations } = item;
  if (typeof name !== 'string' || name === '') return 'no name';
  return {
    name,
    ...(typeof title === 'string' ? { title } : {}),
    description: typeof description === 'string' ? description : '',
    inputSchema: isRecord(inputSchema) ? objectSchema(inputSchema) : { type: 'object' },
    ...(isRecord(outputSchema) ? { outputSchema } : {}),
    annotations: isRecord(annotations) ? annotations : {},
  };
}

/** Arguments are always an object; servers that leave the type out, or say something else, mean that too. */
function objectSchema(schema: JsonRecord): JsonRecord {
  return schema['type'] === 'object' ? schema : { ...schema, type: 'object' };
}
