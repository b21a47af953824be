// The names on the wire for a view, for telemetry.
import type { ToolRegistry, ToolView } from '@codeseam/tools';

const MOST_NAMES = 64;

export function visibleNames(tools: ToolRegistry, view: ToolView): string[] {
  const { mode, transport } = tools.presentationOf(view.scope);
  const names = mode !== 'native' && transport === 'exec' ? ['exec', 'wait'] : [];
  for (const tool of view.tools) {
    if (names.length >= MOST_NAMES) break;
    if (tool.directOnly || (mode !== 'code' && !tool.hidden)) names.push(tool.wireName);
  }
  return names;
}
