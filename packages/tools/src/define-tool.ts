// Definitions whose argument and result types come from their schemas.

import type { InferArguments, InferGiven, InferValue, SchemaLike } from './infer-schema.ts';
import { invalidArguments, violatingOutput } from './pipeline/call-errors.ts';
import { applyStandardSchema, isStandardSchema, jsonSchemaOf } from './standard-schema.ts';
import { isToolResult, toolResult } from './tool-result.ts';
import type { JsonSchema, ToolContent, ToolDefinition, ToolResultInit, ToolRunContext } from './types.ts';

/** A definition before its types are known: schemas may be JSON Schema literals or Standard Schema objects. */
export interface TypedToolDefinition<Parameters extends SchemaLike, Output extends SchemaLike | undefined>
  extends Omit<ToolDefinition<InferArguments<Parameters>, InferValue<Output>>, 'parameters' | 'output' | 'execute'> {
  parameters: Parameters;
  output?: { schema: Output; render?(value: InferValue<Output>): ToolContent[] };
  execute(
    args: InferArguments<Parameters>,
    context: ToolRunContext,
  ): InferGiven<Output> | ToolResultInit | Promise<InferGiven<Output> | ToolResultInit>;
}

/**
 * Defines a tool with types inferred from its schemas. A Standard Schema (zod 4.2+, arktype, valibot through `toStandardJsonSchema`) is
 * shown to models as the JSON Schema that its library gives, and applied by the library when the tool runs, with its coercions.
 *
 * @throws {ToolRegistryError} `unsupported-schema` where a library gives no JSON Schema.
 * @example
 * defineTool({
 *   name: 'add',
 *   description: 'Adds two numbers',
 *   parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
 *   output: { schema: { type: 'number' } },
 *   execute: ({ a, b }) => a + b,
 * });
 */
export function defineTool<
  const Parameters extends SchemaLike,
  const Output extends SchemaLike | undefined = undefined,
>(definition: TypedToolDefinition<Parameters, Output>): ToolDefinition<InferArguments<Parameters>, InferValue<Output>> {
  const { parameters, output, execute, name } = definition;
  const label = `tool ${JSON.stringify(name)}: `;
  const outputSchema: unknown = output?.schema;
  return {
    ...definition,
    parameters: isStandardSchema(parameters)
      ? jsonSchemaOf(parameters, 'input', `${label}parameters`)
      : (parameters as JsonSchema),
    ...(output
      ? {
          output: {
            ...output,
            schema: isStandardSchema(outputSchema)
              ? jsonSchemaOf(outputSchema, 'output', `${label}output.schema`)
              : (outputSchema as JsonSchema),
          },
        }
      : {}),
    async execute(args: unknown, context: ToolRunContext) {
      const given = await execute(await readArguments(parameters, args, name), context);
      return isStandardSchema(outputSchema) ? readOutput(outputSchema, given, name) : given;
    },
  } as ToolDefinition<InferArguments<Parameters>, InferValue<Output>>;
}

async function readArguments<Parameters extends SchemaLike>(parameters: Parameters, args: unknown, name: string) {
  if (!isStandardSchema(parameters)) return args as InferArguments<Parameters>;
  const read = await applyStandardSchema(parameters, args);
  if ('violations' in read) throw invalidArguments(name, read.violations);
  return read.value as InferArguments<Parameters>;
}

async function readOutput(schema: Parameters<typeof applyStandardSchema>[0], given: unknown, name: string) {
  const init = isToolResult(given) ? given : undefined;
  if (init?.isError === true) return given;
  const read = await applyStandardSchema(schema, init ? init.value : given);
  if ('violations' in read) throw violatingOutput(name, read.violations);
  return init ? toolResult({ ...init, value: read.value }) : read.value;
}
