// What the model is told of `exec` and `wait`: the rules, the budgets, and a bounded index of tools.
import type { VisibleNamespace } from '@codeseam/namespaces';
import { finish, type Steps } from '@codeseam/schema-types';
import type { Catalog } from './catalog/catalog.ts';
import { quickIndex } from './catalog/quick-index.ts';
import type { CodeModeSettings } from './config-schema.ts';

const MAX_SERVER_CHARS = 1_500;

export interface ExecDescriptionOptions {
  catalog: Catalog;
  settings: CodeModeSettings;
  namespaces: readonly VisibleNamespace[];
  /** Globals of extensions. */
  extensionGlobals: readonly string[];
}

export function execDescription({ catalog, settings, namespaces, extensionGlobals }: ExecDescriptionOptions): string {
  const { head, index } = finish(fixedParts(catalog, settings));
  const extensions = extensionGlobals.length > 0 ? `- Also there: ${extensionGlobals.join(', ')}.` : '';
  return [extensions ? `${head}\n${extensions}` : head, mcpPart(catalog), namespacePart(namespaces), index]
    .filter((part) => part !== '')
    .join('\n\n');
}

interface FixedParts {
  head: string;
  index: string;
}

const made = new WeakMap<Catalog, Map<CodeModeSettings, FixedParts>>();

/** What depends on catalog and settings alone; the description is asked for at every call. */
function* fixedParts(catalog: Catalog, settings: CodeModeSettings): Steps<FixedParts> {
  const bySettings = made.get(catalog) ?? new Map<CodeModeSettings, FixedParts>();
  made.set(catalog, bySettings);
  let parts = bySettings.get(settings);
  if (!parts) {
    const index = yield* indexPart(catalog, settings);
    parts = { head: `${intro(settings)}\n\n${rules(catalog, settings)}`, index };
    bySettings.set(settings, parts);
  }
  return parts;
}

/** Makes a description ready ahead, in steps. */
export function* prepareDescription(catalog: Catalog, settings: CodeModeSettings): Steps<void> {
  yield* catalog.prepareServers();
  yield* fixedParts(catalog, settings);
}

export function isDescriptionReady(catalog: Catalog, settings: CodeModeSettings): boolean {
  return made.get(catalog)?.has(settings) === true;
}

export const WAIT_DESCRIPTION =
  'Goes on with a program whose exec or wait answered `waiting`: give its runId. Answers like exec. Only after `waiting`; `cancel: true` ends the program instead.';

function intro({ languages }: CodeModeSettings): string {
  const names = languages.map((language) => (language === 'typescript' ? 'TypeScript' : 'JavaScript')).join(' or ');
  return `Runs one ${names} program, the body of an async function, in a sandbox whose only powers are your tools. Only what it returns or prints comes back.`;
}

function rules(catalog: Catalog, settings: CodeModeSettings): string {
  const hasOwn = catalog.own.length > 0;
  return lines([
    'End with `return value`. console.log(…), text(v) and json(v) print on the way.',
    'Await calls that depend on each other; `await Promise.all([…])` for those that do not.',
    'No modules, no Node, no network: tools do such work.',
    '`await tools.search("what you need", { limit })` finds tools; `await tools.describe(id)` gives schemas and declaration.',
    hasOwn &&
      "`await tools.callValue(id, { … })` gives a tool's JSON value, `tools.call` its content and metadata too; `tools.name({ … })` is callValue where the name is an identifier. ALL_TOOLS lists them.",
    'A failed call throws ToolCallError (message, toolName, code): catch it to go on.',
    `Budgets: ${seconds(settings.timeoutMs)} a turn, ${bytes(settings.maxOutputBytes)} of output (what is cut is read with results.read(ref)), ${bytes(settings.memoryLimitBytes)} of memory, ${settings.maxPendingToolCalls} calls at once.`,
    'A program that is still waiting then answers `waiting` with a runId: call wait with that runId, and only then.',
  ]);
}

function mcpPart(catalog: Catalog): string {
  const { servers } = catalog.mcp;
  const [first] = servers;
  if (!first) return '';
  const names: string[] = [];
  let chars = 0;
  for (const { identifier, toolCount } of servers) {
    const name = `${identifier} (${toolCount})`;
    chars += name.length + 2;
    if (chars > MAX_SERVER_CHARS) break;
    names.push(name);
  }
  const more = servers.length - names.length;
  return lines([
    `MCP servers, with their number of tools: ${names.join(', ')}${more > 0 ? `, and ${more} more (Object.keys(MCP))` : ''}.`,
    `Call them as \`await MCP.${first.identifier}.toolName({ … })\`, always one object. It gives { content, structuredContent?, isError? }. A tool that fails gives isError: true and does not throw.`,
    `Declarations: \`await API.list("mcp")\`, \`(await API.read("mcp/${first.identifier}.d.ts")).content\`; of one tool: \`await MCP.${first.identifier}.$api("toolName")\`.`,
  ]);
}

function namespacePart(namespaces: readonly VisibleNamespace[]): string {
  if (namespaces.length === 0) return '';
  return [
    'Domain APIs, as globals and under `namespaces`:',
    ...namespaces.map(({ globalName, description, prompt }) =>
      [`- ${globalName}: ${description.trim()}`, ...(prompt ? [prompt.trim()] : [])].join('\n'),
    ),
  ].join('\n');
}

function* indexPart(catalog: Catalog, settings: CodeModeSettings): Steps<string> {
  const { lines: index, more } = yield* quickIndex(catalog.own, settings.indexMaxChars);
  if (index.length === 0 && more === 0) return '';
  return [
    'Tools: `- id input -> value of callValue`. `-> ?` means that the shape is unknown: return such a result unchanged, look at it, and transform it in the next program, also where it is the last of several calls.',
    ...index,
    ...(more > 0
      ? [`${index.length > 0 ? `${more} more` : `${more} tools`}: await tools.search("what you need")`]
      : []),
  ].join('\n');
}

function lines(items: readonly (string | false)[]): string {
  return items
    .filter((item) => item !== false)
    .map((item) => `- ${item}`)
    .join('\n');
}

function seconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(1))} s`;
}

function bytes(count: number): string {
  return count >= 1_048_576 ? `${Math.floor(count / 1_048_576)} MB` : `${Math.floor(count / 1024)} KB`;
}
