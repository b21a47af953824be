// A server's lists -> tools of the registry: its own tools, and hidden ones for its resources and prompts.
import { type JsonSchema, mcpValueSchema, type ToolDefinition, type ToolRunContext, toolResult } from '@codeseam/tools';
import { BlobStore } from './blob-store.ts';
import { canonicalBlocks, canonicalResource, canonicalToolResult } from './canonical-result.ts';
import { McpClientError } from './errors.ts';
import { isRecord, type JsonRecord } from './mcp-request.ts';
import type { ServerConfig } from './server-config.ts';
import type { ListedTool, ServerList } from './server-lists.ts';

/** How definitions reach their server: through whatever connection it has when the call is made. */
export interface ServerCalls {
  request(method: string, params: JsonRecord | undefined, context: ToolRunContext): Promise<JsonRecord>;
  listAll(method: string, key: string, context: ToolRunContext): Promise<unknown[]>;
}

export interface DefinitionContext {
  server: string;
  config: ServerConfig;
  calls: ServerCalls;
  blobs: BlobStore;
}

/** All tools of one generation, hidden ones included. */
export function toolDefinitions(
  lists: Record<'tools' | 'resources' | 'prompts', ServerList>,
  context: DefinitionContext,
): ToolDefinition[] {
  const own = lists.tools.tools.map((tool) => toolDefinition(tool, context));
  return [...own, ...resourceTools(lists, context), ...promptTools(lists.prompts, context)];
}

function toolDefinition(tool: ListedTool, { server, config, calls, blobs }: DefinitionContext): ToolDefinition {
  const readOnly = config.trust === true && tool.annotations['readOnlyHint'] === true;
  return {
    name: tool.name,
    description: tool.description,
    parameters: tool.inputSchema,
    ...(tool.title === undefined ? {} : { title: tool.title }),
    ...(tool.outputSchema === undefined
      ? {}
      : { output: { schema: mcpValueSchema(server, tool.name, tool.outputSchema) } }),
    annotations: annotationsOf(tool.annotations),
    ...behaviour(config, readOnly),
    async execute(args, context) {
      const raw = await calls.request('tools/call', { name: tool.name, arguments: args as JsonRecord }, context);
      return toolResult(canonicalToolResult(raw, { server, blobs }));
    },
  };
}

/** What a trusted server's hints and the configured concurrency mean for the registry. */
function behaviour(
  config: ServerConfig,
  readOnly: boolean,
): Pick<ToolDefinition, 'concurrency' | 'replaySafe' | 'timeoutMs'> {
  const concurrency = config.concurrency === 'exclusive' ? 'exclusive' : readOnly ? 'safe' : undefined;
  return {
    timeoutMs: config.callMs,
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(readOnly ? { replaySafe: true } : {}),
  };
}

function annotationsOf(raw: JsonRecord): Record<string, boolean | string> {
  const annotations: Record<string, boolean | string> = {};
  for (const key of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']) {
    const hint = raw[key];
    if (typeof hint === 'boolean') annotations[key] = hint;
  }
  if (typeof raw['title'] === 'string') annotations['title'] = raw['title'];
  return annotations;
}

/** Lists come whole; the protocol's cursor is accepted and means nothing. */
const LIST_ARGUMENTS: JsonSchema = {
  type: 'object',
  properties: { cursor: { type: 'string' } },
  additionalProperties: false,
};

function resourceTools(lists: Record<'tools' | 'resources', ServerList>, context: DefinitionContext): ToolDefinition[] {
  const { server, config, calls, blobs } = context;
  const hidden = { hidden: true, ...behaviour(config, config.trust === true) };
  const declared = lists.resources.declared;
  const definitions: ToolDefinition[] = [];
  if (declared && lists.resources.listed) {
    definitions.push({
      ...hidden,
      name: '$resources.list',
      description: `Lists the resources and resource templates of the MCP server "${server}".`,
      parameters: LIST_ARGUMENTS,
      async execute(_args, run) {
        const resources = await calls.listAll('resources/list', 'resources', run);
        const resourceTemplates = await calls
          .listAll('resources/templates/list', 'resourceTemplates', run)
          .catch(() => []);
        return { resources: resources.map(plainEntry), resourceTemplates: resourceTemplates.map(plainEntry) };
      },
    });
  }
  if (declared || lists.tools.listed) {
    definitions.push({
      ...hidden,
      name: '$resources.read',
      description:
        `Reads a resource of the MCP server "${server}" by its URI. ` +
        'A `ref` from an earlier result in place of the URI gives that binary block in base64, as `blob`.',
      parameters: {
        type: 'object',
        properties: { uri: { type: 'string', description: 'A URI that the server lists or names, or a ref.' } },
        required: ['uri'],
        additionalProperties: false,
      },
      async execute({ uri }: { uri: string }, run) {
        if (BlobStore.isRef(uri)) return readRef(uri, server, blobs);
        if (!declared)
          throw new McpClientError('INVALID_CONFIG', `the MCP server "${server}" has no resources`, { server });
        const raw = await calls.request('resources/read', { uri }, run);
        return resourceResult(raw, { server, blobs });
      },
    });
  }
  return definitions;
}

function readRef(ref: string, server: string, blobs: BlobStore): { contents: JsonRecord[] } {
  const blob = blobs.read(ref, server);
  if (blob === undefined) {
    throw new McpClientError('UNKNOWN_REF', `no binary block of "${server}" is kept under ${ref}`, {
      server,
      hint: 'refs are kept for a while only; call the tool again and use the new ref',
    });
  }
  return { contents: [{ uri: ref, mimeType: blob.mimeType, blob: blob.data }] };
}

function resourceResult(raw: JsonRecord, context: { server: string; blobs: BlobStore }) {
  if (!Array.isArray(raw['contents'])) {
    throw new McpClientError('INVALID_RESULT', 'resources/read answered without a "contents" array', {
      server: context.server,
    });
  }
  const read = raw['contents'].flatMap((entry) => (isRecord(entry) ? (canonicalResource(entry, context) ?? []) : []));
  return toolResult({
    value: { contents: read.map(({ value }) => value) },
    content: read.map(({ content }) => ({ type: 'resource' as const, resource: content })),
  });
}

function promptTools(prompts: ServerList, { server, config, calls, blobs }: DefinitionContext): ToolDefinition[] {
  if (!prompts.declared || !prompts.listed) return [];
  const hidden = { hidden: true, ...behaviour(config, config.trust === true) };
  return [
    {
      ...hidden,
      name: '$prompts.list',
      description: `Lists the prompts of the MCP server "${server}".`,
      parameters: LIST_ARGUMENTS,
      async execute(_args, run) {
        return { prompts: (await calls.listAll('prompts/list', 'prompts', run)).map(plainEntry) };
      },
    },
    {
      ...hidden,
      name: '$prompts.get',
      description: `Gets a prompt of the MCP server "${server}", its arguments filled in.`,
      parameters: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          arguments: { type: 'object', additionalProperties: { type: 'string' } },
        },
        required: ['name'],
        additionalProperties: false,
      },
      async execute(args: { name: string; arguments?: JsonRecord }, run) {
        const params = { name: args.name, ...(args.arguments === undefined ? {} : { arguments: args.arguments }) };
        return promptResult(await calls.request('prompts/get', params, run), { server, blobs });
      },
    },
  ];
}

function promptResult(raw: JsonRecord, context: { server: string; blobs: BlobStore }) {
  if (!Array.isArray(raw['messages'])) {
    throw new McpClientError('INVALID_RESULT', 'prompts/get answered without a "messages" array', {
      server: context.server,
    });
  }
  const messages = raw['messages'].filter(isRecord).map((message) => {
    const blocks = canonicalBlocks([message['content']], context);
    return {
      value: { role: message['role'] === 'assistant' ? 'assistant' : 'user', content: blocks.value[0]! },
      content: blocks.content,
    };
  });
  const description = typeof raw['description'] === 'string' ? { description: raw['description'] } : {};
  return toolResult({
    value: { ...description, messages: messages.map(({ value }) => value) },
    content: messages.flatMap(({ content }) => content),
  });
}

/** A listed resource, template or prompt without `_meta`. */
function plainEntry(entry: unknown): unknown {
  if (!isRecord(entry)) return entry;
  const { _meta, ...rest } = entry;
  return rest;
}
