// A registered tool as the registry keeps it: the checked definition, its identity and its compiled schemas.
import { hash } from 'node:crypto';
import { freezeJson, type JsonValue, stringifyJson, toLosslessJson } from '@codeseam/lossless-json';
import { checkDefinition } from './check-definition.ts';
import { ToolRegistryError } from './errors.ts';
import { orderKey, toolId } from './identity.ts';
import { type CompiledSchema, compileSchema } from './schema/compile-schema.ts';
import type { Tool, ToolAnnotations, ToolDefinition, ToolSource } from './types.ts';

export interface ToolRecord {
  readonly id: string;
  readonly source: ToolSource;
  readonly owner: string;
  readonly name: string;
  readonly definition: ToolDefinition;
  readonly parameters: CompiledSchema;
  readonly output: CompiledSchema | undefined;
  readonly annotations: ToolAnnotations;
  /** Equal for equal definitions, as far as a model can see them. Made here, tool by tool: a view of thousands only joins them. */
  readonly digest: string;
  /** Sorts records as views list them: by source, then id. */
  readonly order: string;
}

export interface ToolIdentity {
  source: ToolSource;
  owner: string;
  /** For what lies outside registration; default: made of source, owner and name. */
  id?: string;
}

const NO_ANNOTATIONS: ToolAnnotations = Object.freeze({});

/**
 * Checks a definition and makes its record. Schemas of foreign sources (MCP servers, clients) are taken leniently.
 *
 * @throws {ToolRegistryError} `invalid-definition` or `unsupported-schema`.
 */
export function createToolRecord(given: unknown, identity: ToolIdentity): ToolRecord {
  const definition = checkDefinition(given);
  const { source, owner } = identity;
  const lenient = source === 'mcp' || source === 'client';
  const label = `tool ${JSON.stringify(definition.name)}: `;
  const id = identity.id ?? toolId(source, owner, definition.name);
  const record = {
    id,
    order: orderKey(source, id),
    source,
    owner,
    name: definition.name,
    definition,
    parameters: labelled(label, () =>
      compileSchema(definition.parameters, { name: 'parameters', lenient, objectRoot: true }),
    ),
    output:
      definition.output &&
      labelled(label, () =>
        compileSchema(definition.output!.schema, { name: 'output.schema', lenient, objectRoot: false }),
      ),
    annotations: definition.annotations ? snapshotAnnotations(label, definition.annotations) : NO_ANNOTATIONS,
  };
  return { ...record, digest: digestOf(record) };
}

function labelled<T>(label: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof ToolRegistryError) throw new ToolRegistryError(error.code, label + error.message, error.hint);
    throw error;
  }
}

function snapshotAnnotations(label: string, annotations: ToolAnnotations): ToolAnnotations {
  try {
    return freezeJson(toLosslessJson(annotations, { name: 'annotations' })) as ToolAnnotations;
  } catch (error) {
    throw new ToolRegistryError(
      'invalid-definition',
      `${label}${error instanceof Error ? error.message : 'annotations cannot be read'}`,
    );
  }
}

function digestOf(record: Omit<ToolRecord, 'digest'>): string {
  const { definition } = record;
  const flags = [definition.replaySafe, definition.directOnly, definition.hidden, definition.control];
  const seen = {
    id: record.id,
    title: definition.title ?? null,
    description: definition.description,
    parameters: record.parameters.schema as JsonValue,
    output: (record.output?.schema as JsonValue | undefined) ?? null,
    annotations: record.annotations as JsonValue,
    flags: flags.map((flag) => flag === true),
  };
  return hash('sha256', stringifyJson(seen), 'hex').slice(0, 32);
}

const shown = new WeakMap<ToolRecord, Tool>();

/** The tool as one view shows it: the same object for all views in which it has this name on the wire. */
export function toolOf(record: ToolRecord, wireName: string): Tool {
  const known = shown.get(record);
  if (known?.wireName === wireName) return known;
  const tool = makeTool(record, wireName);
  shown.set(record, tool);
  return tool;
}

function makeTool(record: ToolRecord, wireName: string): Tool {
  const { definition } = record;
  return Object.freeze({
    id: record.id,
    source: record.source,
    owner: record.owner,
    name: record.name,
    wireName,
    ...(definition.title === undefined ? {} : { title: definition.title }),
    description: definition.description,
    parameters: record.parameters.schema,
    ...(record.output ? { outputSchema: record.output.schema } : {}),
    replaySafe: definition.replaySafe === true,
    directOnly: definition.directOnly === true,
    hidden: definition.hidden === true,
    control: definition.control === true,
    annotations: record.annotations,
  });
}
