// The order of names on the wire: lexicographic, or as configured.
import { ToolRegistryError } from '../errors.ts';
import { compareText } from '../identity.ts';
import type { PresentationMode, ToolView, WireTool } from '../types.ts';

export interface OrderContext {
  mode: PresentationMode;
  view: ToolView;
  /** Whether anybody has registered a tool of this id or name, visible here or not. */
  isRegistered(ref: string): boolean;
  warn(message: string): void;
}

/**
 * Sorts the tools of a presentation: those that `toolOrder` names first, in its order, then the others by name.
 *
 * @throws {ToolRegistryError} `presentation` for a name that the mode hides; one that nobody has registered is a warning.
 */
export function orderTools(
  tools: readonly WireTool[],
  toolOrder: readonly string[],
  context: OrderContext,
): WireTool[] {
  const rest = new Map([...tools].sort((a, b) => compareText(a.name, b.name)).map((tool) => [tool.name, tool]));
  const first: WireTool[] = [];
  for (const ref of toolOrder) {
    const tool = context.view.find(ref);
    const shown =
      rest.get(ref) ?? [...rest.values()].find((entry) => entry.toolId !== undefined && entry.toolId === tool?.id);
    if (shown) {
      rest.delete(shown.name);
      first.push(shown);
    } else if (tool && !first.some((entry) => entry.toolId === tool.id)) {
      const why = tool.hidden ? 'the tool is hidden' : `mode "${context.mode}" does not show it`;
      throw new ToolRegistryError('presentation', `toolOrder names ${JSON.stringify(ref)}, but ${why}`);
    } else if (!tool && !first.some((entry) => entry.name === ref) && !context.isRegistered(ref)) {
      context.warn(`toolOrder names ${JSON.stringify(ref)}, which nobody has registered`);
    }
  }
  return [...first, ...rest.values()];
}
