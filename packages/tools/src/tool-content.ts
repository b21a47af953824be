// Content blocks: rebuilt from what a tool gave, and made of values.
import { type JsonValue, toLosslessJson } from '@codeseam/lossless-json';
import { readableJson } from './readable-json.ts';
import { isRecord } from './schema/schema-keywords.ts';
import type { AdditionalContext, ToolContent } from './types.ts';

/** The text block of a string, or of anything else as readable JSON. */
export function renderValue(value: JsonValue): ToolContent[] {
  return [{ type: 'text', text: typeof value === 'string' ? value : readableJson(value) }];
}

/**
 * Rebuilds content blocks from foreign data. A block of a type that is not known becomes its JSON as text.
 *
 * @throws {TypeError} or a `LosslessJsonError`, naming the place.
 */
export function copyContent(content: unknown, name: string): ToolContent[] {
  const copy = toLosslessJson(content, { name });
  if (!Array.isArray(copy)) throw new TypeError(`${name}: must be an array of content blocks`);
  return copy.map((block, index) => copyBlock(block, `${name}[${index}]`));
}

function copyBlock(block: JsonValue, name: string): ToolContent {
  if (!isRecord(block) || typeof block['type'] !== 'string')
    throw new TypeError(`${name}: must be a content block with a \`type\``);
  const text = (field: string, from: Record<string, unknown> = block) => {
    if (typeof from[field] !== 'string') throw new TypeError(`${name}.${field}: must be a string`);
    return from[field];
  };
  const texts = <Field extends string>(fields: readonly Field[], from: Record<string, unknown>) =>
    Object.fromEntries(
      fields.filter((field) => typeof from[field] === 'string').map((field) => [field, from[field]]),
    ) as {
      [field in Field]?: string;
    };
  switch (block['type']) {
    case 'text':
      return { type: 'text', text: text('text') };
    case 'image':
    case 'audio':
      return { type: block['type'], data: text('data'), mimeType: text('mimeType') };
    case 'resource_link':
      return {
        type: 'resource_link',
        uri: text('uri'),
        name: text('name'),
        ...texts(['title', 'description', 'mimeType'], block),
      };
    case 'resource': {
      const resource = block['resource'];
      if (!isRecord(resource)) throw new TypeError(`${name}.resource: must be an object`);
      return {
        type: 'resource',
        resource: { uri: text('uri', resource), ...texts(['mimeType', 'text', 'blob'], resource) },
      };
    }
    default:
      return { type: 'text', text: readableJson(block as JsonValue) };
  }
}

/** Rebuilds additional contexts, as `copyContent` does. */
export function copyContexts(contexts: unknown, name: string, callId: string): AdditionalContext[] {
  if (!Array.isArray(contexts)) throw new TypeError(`${name}: must be an array of contexts`);
  return contexts.map((entry: unknown, index) => {
    if (!isRecord(entry)) throw new TypeError(`${name}[${index}]: must be an object { content }`);
    const from = typeof entry['callId'] === 'string' ? entry['callId'] : callId;
    return { content: copyContent(entry['content'], `${name}[${index}].content`), callId: from };
  });
}

/** Whether a block cannot be had as text: its data must reach the model another way than through a program's JSON. */
export function isBinary(block: ToolContent): boolean {
  return (
    block.type === 'image' || block.type === 'audio' || (block.type === 'resource' && block.resource.blob !== undefined)
  );
}

/** The text blocks, as one text. */
export function contentText(content: readonly ToolContent[]): string {
  return content
    .map((block) => {
      if (block.type === 'text') return block.text;
      return block.type === 'resource' ? (block.resource.text ?? '') : '';
    })
    .filter((text) => text !== '')
    .join('\n');
}
