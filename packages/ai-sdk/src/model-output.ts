// What a tool of ours gives to the AI SDK, and how a model reads it.
import type { ToolContent } from '@codeseam/tools';
import type { ToolSet } from 'ai';

/** The `output` of a tool result: plain JSON, so that stored messages can be sent again. */
export interface CodeseamOutput {
  /** The tool's JSON value. */
  value: unknown;
  /** The rendered content, then what the call (or the calls of its program) wanted shown beside it. */
  content: ToolContent[];
}

type ToModelOutput = NonNullable<ToolSet[string]['toModelOutput']>;
type ModelOutput = Awaited<ReturnType<ToModelOutput>>;

/** AI SDK 5 calls this with the output, 6 with an object that holds it. */
export function toModelOutput(given: CodeseamOutput | { output: CodeseamOutput }): ModelOutput {
  const { content } = 'content' in given ? given : given.output;
  if (content.every((block) => block.type === 'text'))
    return { type: 'text', value: content.map((block) => block.text).join('\n') };
  // `media` is what both versions know.
  return { type: 'content', value: content.map(modelPart) };
}

type ModelPart = Extract<ModelOutput, { type: 'content' }>['value'][number];

function modelPart(block: ToolContent): ModelPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
    case 'audio':
      return { type: 'media', data: block.data, mediaType: block.mimeType };
    case 'resource_link':
      return { type: 'text', text: `${block.name}: ${block.uri}` };
    case 'resource': {
      const { uri, text, blob, mimeType = 'application/octet-stream' } = block.resource;
      return blob === undefined
        ? { type: 'text', text: text ?? uri }
        : { type: 'media', data: blob, mediaType: mimeType };
    }
  }
}
