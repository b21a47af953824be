// Checks a tool definition at registration and says what was probably meant.
import { nearestNames } from '@codeseam/nearest-names';
import { ToolRegistryError } from './errors.ts';
import { TOOL_SOURCES } from './identity.ts';
import { thrownMessage } from './read-thrown.ts';
import type { ToolDefinition } from './types.ts';

const FIELDS = [
  'name',
  'description',
  'parameters',
  'output',
  'execute',
  'source',
  'owner',
  'concurrency',
  'replaySafe',
  'directOnly',
  'hidden',
  'control',
  'timeoutMs',
  'title',
  'annotations',
  'finalizeContent',
  'presentCall',
  'presentResult',
] as const;

/** How other libraries call what we call otherwise. */
const FOREIGN_FIELDS: Readonly<Record<string, string>> = {
  inputSchema: 'parameters',
  input_schema: 'parameters',
  schema: 'parameters',
  input: 'parameters',
  args: 'parameters',
  outputSchema: 'output: { schema }',
  output_schema: 'output: { schema }',
  handler: 'execute',
  run: 'execute',
  call: 'execute',
  invoke: 'execute',
  callback: 'execute',
  func: 'execute',
  toolName: 'name',
  id: 'name',
  readOnly: 'replaySafe',
  isConcurrencySafe: 'concurrency',
  timeout: 'timeoutMs',
};

/** The longest timer that does not fire at once. */
const MAX_TIMEOUT_MS = 2_147_483_647;

/**
 * Gives a frozen copy of a definition whose fields have the right types; schemas are checked elsewhere.
 *
 * @throws {ToolRegistryError} `invalid-definition`, naming the tool, the field, and what was expected.
 */
export function checkDefinition(definition: unknown): ToolDefinition {
  if (typeof definition !== 'object' || definition === null) {
    throw invalid(`a tool definition must be an object, found ${definition === null ? 'null' : typeof definition}`);
  }
  let copy: Record<string, unknown>;
  try {
    // Read once: a getter cannot give the check one thing and the registry another.
    copy = {};
    for (const field of FIELDS) {
      const value = (definition as Record<string, unknown>)[field];
      if (value !== undefined) copy[field] = value;
    }
    refuseForeignFields(definition, copy);
  } catch (error) {
    if (error instanceof ToolRegistryError) throw error;
    throw invalid(`a tool definition could not be read: ${thrownMessage(error)}`);
  }
  checkFields(copy);
  if (typeof copy['output'] === 'object') copy['output'] = Object.freeze({ ...(copy['output'] as object) });
  // Methods of a class-made definition keep their receiver.
  for (const method of ['execute', 'finalizeContent', 'presentCall', 'presentResult']) {
    const fn = copy[method];
    if (typeof fn === 'function') copy[method] = (...args: unknown[]) => Reflect.apply(fn, definition, args);
  }
  return Object.freeze(copy) as unknown as ToolDefinition;
}

function refuseForeignFields(definition: object, copy: Record<string, unknown>): void {
  const label = labelOf(copy);
  for (const key of Object.keys(definition)) {
    if ((FIELDS as readonly string[]).includes(key)) continue;
    const meant = Object.hasOwn(FOREIGN_FIELDS, key) ? FOREIGN_FIELDS[key]! : undefined;
    const field = meant?.split(':')[0];
    if (meant !== undefined && copy[field!] === undefined)
      throw invalid(`${label}: found \`${key}\`, expected \`${meant}\``);
    const near = nearestNames(key, FIELDS, 1)[0];
    if (meant === undefined && near !== undefined && copy[near] === undefined) {
      throw invalid(`${label}: unknown field \`${key}\`; did you mean \`${near}\`?`);
    }
  }
}

function checkFields(copy: Record<string, unknown>): void {
  const label = labelOf(copy);
  const must = (field: string, expected: string, holds: boolean) => {
    if (!holds) throw invalid(`${label}: \`${field}\` must be ${expected}, found ${kindOf(copy[field])}`);
  };
  must('name', 'a non-empty string', typeof copy['name'] === 'string' && copy['name'] !== '');
  must('description', 'a string', typeof copy['description'] === 'string');
  must('execute', 'a function', typeof copy['execute'] === 'function');
  must(
    'parameters',
    'a JSON Schema of an object',
    typeof copy['parameters'] === 'object' && copy['parameters'] !== null,
  );
  if ((copy['parameters'] as { '~standard'?: unknown })['~standard'] !== undefined) {
    throw invalid(`${label}: \`parameters\` is a Standard Schema; define the tool with defineTool, which takes those`);
  }
  if (copy['output'] !== undefined) {
    const output = copy['output'] as { schema?: unknown; render?: unknown } | null;
    must(
      'output',
      'an object { schema, render? }',
      typeof output === 'object' && output !== null && output.schema !== undefined,
    );
    if (output!.render !== undefined && typeof output!.render !== 'function') {
      throw invalid(`${label}: \`output.render\` must be a function, found ${kindOf(output!.render)}`);
    }
  }
  optional('source', `one of ${TOOL_SOURCES.join(', ')}`, (value) => TOOL_SOURCES.includes(value as never));
  optional('owner', 'a non-empty string', (value) => typeof value === 'string' && value !== '');
  optional('title', 'a string', (value) => typeof value === 'string');
  optional(
    'concurrency',
    "'safe', 'exclusive' or a function",
    (value) => value === 'safe' || value === 'exclusive' || typeof value === 'function',
  );
  for (const flag of ['replaySafe', 'directOnly', 'hidden', 'control']) {
    optional(flag, 'a boolean', (value) => typeof value === 'boolean');
  }
  optional(
    'timeoutMs',
    `a number of milliseconds from 1 to ${MAX_TIMEOUT_MS}`,
    (value) => typeof value === 'number' && value >= 1 && value <= MAX_TIMEOUT_MS,
  );
  optional('annotations', 'an object', (value) => typeof value === 'object');
  for (const hook of ['finalizeContent', 'presentCall', 'presentResult']) {
    optional(hook, 'a function', (value) => typeof value === 'function');
  }

  function optional(field: string, expected: string, holds: (value: unknown) => boolean): void {
    const value = copy[field];
    if (value !== undefined) must(field, expected, value !== null && holds(value));
  }
}

function labelOf(copy: Record<string, unknown>): string {
  return typeof copy['name'] === 'string' ? `tool ${JSON.stringify(copy['name'])}` : 'a tool definition';
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80));
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === undefined) return 'nothing';
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}

function invalid(message: string): ToolRegistryError {
  return new ToolRegistryError('invalid-definition', message);
}
