// What a server answers -> the one JSON value that programs get, and the content blocks that a model is shown.
import type { ToolContent } from '@codeseam/tools';
import { type BlobStore, base64Bytes } from './blob-store.ts';
import { McpClientError } from './errors.ts';
import { isRecord, type JsonRecord } from './mcp-request.ts';

/** The value of every MCP tool call: the protocol's result without `_meta`, binary blocks by ref. */
export interface McpToolValue {
  content: JsonRecord[];
  structuredContent?: unknown;
  /** Present only when true. */
  isError?: true;
}

export interface CanonicalBlocks {
  /** For programs: binary data is `{ mimeType, bytes, ref }`. */
  value: JsonRecord[];
  /** For the model: whole blocks. */
  content: ToolContent[];
}

export interface CanonicalContext {
  server: string;
  blobs: BlobStore;
}

/** Reads a `tools/call` result. Throws `INVALID_RESULT` for something that is none. */
export function canonicalToolResult(
  raw: JsonRecord,
  context: CanonicalContext,
): { value: McpToolValue; content: ToolContent[]; isError: boolean } {
  const { content, structuredContent, isError } = raw;
  if (content !== undefined && !Array.isArray(content)) {
    throw new McpClientError('INVALID_RESULT', 'the result of the call has a "content" that is not an array', {
      server: context.server,
    });
  }
  if (content === undefined && structuredContent === undefined) {
    throw new McpClientError('INVALID_RESULT', 'the result of the call has neither "content" nor "structuredContent"', {
      server: context.server,
    });
  }
  const blocks = canonicalBlocks(content ?? [], context);
  const failed = isError === true;
  const value: McpToolValue = { content: blocks.value };
  if (structuredContent !== undefined) value.structuredContent = structuredContent;
  if (failed) value.isError = true;
  // A model that is shown the result natively must see the data even where the server put it in one place only.
  const shown: ToolContent[] =
    blocks.content.length === 0 && structuredContent !== undefined
      ? [{ type: 'text', text: JSON.stringify(structuredContent) }]
      : blocks.content;
  return { value, content: shown, isError: failed };
}

/** Reads a list of content blocks; what is none is kept as the JSON that came. */
export function canonicalBlocks(blocks: readonly unknown[], context: CanonicalContext): CanonicalBlocks {
  const out: CanonicalBlocks = { value: [], content: [] };
  for (const block of blocks) {
    if (!isRecord(block)) {
      out.value.push({ type: 'unknown', value: block ?? null });
      out.content.push({ type: 'text', text: JSON.stringify(block ?? null) });
      continue;
    }
    const read = readBlock(block, context);
    out.value.push(read.value);
    out.content.push(read.content);
  }
  return out;
}

type ReadBlock = { value: JsonRecord; content: ToolContent };

function readBlock(block: JsonRecord, context: CanonicalContext): ReadBlock {
  const plain = withoutMeta(block);
  const { type } = block;
  if (type === 'text' && typeof block['text'] === 'string') {
    return { value: plain, content: { type, text: block['text'] } };
  }
  if ((type === 'image' || type === 'audio') && typeof block['data'] === 'string') {
    const mimeType = textOr(block['mimeType'], 'application/octet-stream');
    const { data } = block;
    const { data: _data, ...rest } = plain;
    return { value: { ...rest, ...blobFields(mimeType, data, context) }, content: { type, data, mimeType } };
  }
  if (type === 'resource_link' && typeof block['uri'] === 'string') {
    const link = stringFields(block, ['title', 'description', 'mimeType']);
    return {
      value: plain,
      content: { type, uri: block['uri'], name: textOr(block['name'], block['uri']), ...link },
    };
  }
  if (type === 'resource' && isRecord(block['resource'])) {
    const resource = canonicalResource(block['resource'], context);
    if (resource !== undefined) {
      return { value: { ...plain, resource: resource.value }, content: { type, resource: resource.content } };
    }
  }
  return { value: plain, content: { type: 'text', text: JSON.stringify(plain) } };
}

/** Reads one `{ uri, mimeType?, text? | blob? }`; undefined for anything else. */
export function canonicalResource(
  resource: JsonRecord,
  context: CanonicalContext,
): { value: JsonRecord; content: Extract<ToolContent, { type: 'resource' }>['resource'] } | undefined {
  const { uri, text, blob } = resource;
  if (typeof uri !== 'string') return undefined;
  const mimeType = stringFields(resource, ['mimeType']);
  const plain = withoutMeta(resource);
  if (typeof blob === 'string') {
    const { blob: _blob, ...rest } = plain;
    return {
      value: { ...rest, ...blobFields(mimeType.mimeType ?? 'application/octet-stream', blob, context) },
      content: { uri, ...mimeType, blob },
    };
  }
  return { value: plain, content: { uri, ...mimeType, ...(typeof text === 'string' ? { text } : {}) } };
}

function blobFields(mimeType: string, data: string, { server, blobs }: CanonicalContext): JsonRecord {
  const ref = blobs.keep({ server, mimeType, data });
  return { mimeType, bytes: base64Bytes(data), ...(ref === undefined ? {} : { ref }) };
}

function withoutMeta(record: JsonRecord): JsonRecord {
  const { _meta, ...rest } = record;
  return rest;
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' && value !== '' ? value : fallback;
}

function stringFields<Key extends string>(record: JsonRecord, keys: readonly Key[]): Partial<Record<Key, string>> {
  const fields: Partial<Record<Key, string>> = {};
  for (const key of keys) {
    const value = record[key];
    if (typeof value === 'string') fields[key] = value;
  }
  return fields;
}
