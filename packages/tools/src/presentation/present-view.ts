// What the model should get for a view: tools on the wire, prompt sections, an estimate of their cost.
import { ToolRegistryError } from '../errors.ts';
import { thrownMessage } from '../read-thrown.ts';
import type { ToolRecord } from '../tool-record.ts';
import type {
  Presentation,
  PresentationMode,
  PromptSection,
  Tool,
  ToolHooks,
  ToolTransport,
  ToolView,
  WireTool,
} from '../types.ts';
import { alternateName } from '../wire-names.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { type OrderContext, orderTools } from './order-tools.ts';

export interface PresentContext {
  mode: PresentationMode;
  transport?: ToolTransport;
  /** The control tools of the transport for this view. */
  controls: readonly ToolRecord[];
  toolOrder: readonly string[];
  /** A section given for this scope in place of the default of the same id. */
  shadow(id: string): PromptSection | undefined;
  hooks: readonly ToolHooks['present'][];
  order: Omit<OrderContext, 'mode' | 'view'>;
}

/**
 * Assembles a presentation and passes it through the `present` hooks; what they give is final.
 *
 * @throws {ToolRegistryError} `presentation`
 */
export async function presentView(view: ToolView, context: PresentContext): Promise<Presentation> {
  const { mode, transport, controls } = context;
  const controlNames = new Set(controls.map((control) => control.name));
  const shown = view.tools.filter((tool) => !tool.hidden && (mode !== 'code' || tool.directOnly));
  const wireNames = new Set([...view.tools.map((tool) => tool.wireName), ...controlNames]);
  const nameOf = (tool: Tool) =>
    controlNames.has(tool.wireName) ? alternateName(tool, (name) => wireNames.has(name)) : tool.wireName;
  const tools = [...shown.map((tool) => wireTool(tool, nameOf(tool))), ...controls.map(controlTool)];
  const ordered = orderTools(tools, context.toolOrder, { ...context.order, mode, view });
  const sections = transport ? renderSections(transport.sections(view, mode), context) : [];
  let presentation = freeze({ mode, ...(transport ? { transport: transport.name } : {}), tools: ordered, sections });
  for (const hook of context.hooks) presentation = freeze(checkHooked(await runHook(hook, presentation, view)));
  return presentation;
}

function wireTool(tool: Tool, name: string): WireTool {
  return Object.freeze({
    name,
    description: tool.description,
    parameters: tool.parameters,
    ...(tool.outputSchema ? { outputSchema: tool.outputSchema } : {}),
    ...(tool.title === undefined ? {} : { title: tool.title }),
    ...(Object.keys(tool.annotations).length > 0 ? { annotations: tool.annotations } : {}),
    toolId: tool.id,
  });
}

function controlTool({ definition, parameters, output, annotations }: ToolRecord): WireTool {
  return Object.freeze({
    name: definition.name,
    description: definition.description,
    parameters: parameters.schema,
    ...(output ? { outputSchema: output.schema } : {}),
    ...(definition.title === undefined ? {} : { title: definition.title }),
    ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
  });
}

function renderSections(defaults: readonly PromptSection[], context: PresentContext): PromptSection[] {
  return defaults
    .map((section) => context.shadow(section.id) ?? section)
    .map((section) => {
      let text: string;
      try {
        text = section.render();
      } catch (error) {
        throw new ToolRegistryError(
          'presentation',
          `section ${JSON.stringify(section.id)} could not be rendered: ${thrownMessage(error)}`,
        );
      }
      return Object.freeze({ id: section.id, order: section.order, render: () => text });
    })
    .sort((a, b) => a.order - b.order);
}

async function runHook(hook: ToolHooks['present'], presentation: Presentation, view: ToolView): Promise<Presentation> {
  try {
    return await hook(presentation, view);
  } catch (error) {
    throw new ToolRegistryError('presentation', `a present hook failed: ${thrownMessage(error)}`);
  }
}

function checkHooked(given: Presentation): Omit<Presentation, 'tokens'> {
  const { tools, sections } = given ?? {};
  const named =
    Array.isArray(tools) &&
    tools.every((tool) => typeof tool?.name === 'string' && typeof tool.parameters === 'object');
  const rendered = Array.isArray(sections) && sections.every((section) => typeof section?.render === 'function');
  if (!named || !rendered) {
    throw new ToolRegistryError(
      'presentation',
      'a present hook gave no presentation: it must return { ...presentation, tools, sections }',
    );
  }
  return given;
}

function freeze(presentation: Omit<Presentation, 'tokens'>): Presentation {
  const { tools, sections } = presentation;
  const text = JSON.stringify(tools.map(({ toolId: _, outputSchema: __, ...sent }) => sent));
  const tokens = estimateTokens(text) + sections.reduce((sum, section) => sum + estimateTokens(section.render()), 0);
  return Object.freeze({
    ...presentation,
    tools: Object.freeze([...tools]),
    sections: Object.freeze([...sections]),
    tokens,
  });
}
