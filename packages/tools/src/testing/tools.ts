// Small tools and registries for tests.
import { createToolRegistry } from '../index.ts';
import type { ToolCallOutcome, ToolDefinition, ToolRegistry, ToolRegistryServices, ToolsConfig } from '../types.ts';

/** A tool that gives its own name, unless told otherwise. */
export function makeTool(name: string, more: Partial<ToolDefinition> = {}): ToolDefinition {
  return { name, description: `Does ${name}.`, parameters: { type: 'object' }, execute: () => name, ...more };
}

/** A registry with these tools, and the warnings it gave. */
export function registryWith(
  tools: readonly ToolDefinition[],
  config: ToolsConfig = {},
  services: ToolRegistryServices = {},
): ToolRegistry & { warnings: string[] } {
  const warnings: string[] = [];
  const registry = createToolRegistry(config, { warn: (message) => warnings.push(message), ...services });
  for (const tool of tools) registry.register(tool);
  return Object.assign(registry, { warnings });
}

let calls = 0;

export function run(
  tools: ToolRegistry,
  name: string,
  args: unknown = {},
  more: object = {},
): Promise<ToolCallOutcome> {
  return tools.execute({ callId: `call-${++calls}`, name, arguments: args, scope: {}, ...more });
}

/** Something to resolve by hand. */
export function gate<T = void>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** Lets everything that can go on without the outside go on. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
