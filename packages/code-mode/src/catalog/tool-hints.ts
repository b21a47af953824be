// One-line hints of a tool's input and output, made once per schema.
import { type SchemaHint, schemaToHint } from '@codeseam/schema-types';
import type { JsonSchema, Tool } from '@codeseam/tools';

const MAX_INPUT_CHARS = 300;
const MAX_OUTPUT_CHARS = 850;

const inputs = new WeakMap<JsonSchema, string>();
const outputs = new WeakMap<JsonSchema, SchemaHint>();

/** What a call takes. */
export function inputHint(tool: Pick<Tool, 'parameters'>): string {
  let hint = inputs.get(tool.parameters);
  if (hint === undefined) {
    hint = schemaToHint(tool.parameters, { io: 'input', maxChars: MAX_INPUT_CHARS }).text;
    inputs.set(tool.parameters, hint);
  }
  return hint;
}

/** What `callValue` gives; only of a complete, closed schema, since a half-true hint misleads. */
export function outputHint(tool: Pick<Tool, 'outputSchema'>): string | undefined {
  const { outputSchema } = tool;
  if (!outputSchema) return undefined;
  let hint = outputs.get(outputSchema);
  if (hint === undefined) {
    hint = schemaToHint(outputSchema, { io: 'output', maxChars: MAX_OUTPUT_CHARS });
    outputs.set(outputSchema, hint);
  }
  return hint.complete ? hint.text : undefined;
}

/** Whether a source's schemas may steer a model before it asks for them. */
export function isTrustedSource(tool: Pick<Tool, 'source'>): boolean {
  return tool.source === 'host' || tool.source === 'plugin';
}
