// What the registry presents for a session -> the tools of `tools/list`.
import {
  type Presentation,
  structuredSchemaOf,
  type ToolSource,
  type ToolView,
  type TransportName,
} from '@codeseam/tools';
import type { Tool } from '@modelcontextprotocol/server';

/** One tool on the wire, and how a call of it reaches the registry. */
export interface PresentedTool {
  tool: Tool;
  /** How `execute` is asked: an id, or a control tool of a transport. */
  address: { id: string } | { name: string; transport?: TransportName };
  control: boolean;
  source?: ToolSource;
  /** Whether the list gives a schema for `structuredContent`. */
  declaresOutput: boolean;
}

/** The presented tools by their name on the wire, in the registry's order. */
export function presentTools(presentation: Presentation, view: ToolView): Map<string, PresentedTool> {
  const presented = new Map<string, PresentedTool>();
  for (const wire of presentation.tools) {
    const source = wire.toolId === undefined ? undefined : view.find(wire.toolId)?.source;
    const outputSchema = structuredSchemaOf({
      ...(source === undefined ? {} : { source }),
      ...(wire.outputSchema === undefined ? {} : { outputSchema: wire.outputSchema }),
    });
    const { title: _title, ...annotations } = wire.annotations ?? {};
    presented.set(wire.name, {
      tool: {
        name: wire.name,
        description: wire.description,
        inputSchema: { ...wire.parameters, type: 'object' },
        ...(wire.title === undefined ? {} : { title: wire.title }),
        ...(outputSchema === undefined ? {} : { outputSchema: outputSchema as Tool['outputSchema'] }),
        ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      } as Tool,
      address:
        wire.toolId !== undefined
          ? { id: wire.toolId }
          : { name: wire.name, ...(presentation.transport === undefined ? {} : { transport: presentation.transport }) },
      control: wire.toolId === undefined,
      ...(source === undefined ? {} : { source }),
      declaresOutput: outputSchema !== undefined,
    });
  }
  return presented;
}
