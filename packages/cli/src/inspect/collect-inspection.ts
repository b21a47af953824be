// What the model would see in each mode, and all that lies behind it, as data.
import type { CodeModeInspection } from '@codeseam/code-mode';
import { mcpCatalogs } from '@codeseam/code-mode';
import type { RowStatus } from '@codeseam/cordis-loader';
import type { McpServerStatus } from '@codeseam/mcp-client';
import { describeMcp, type VirtualFile } from '@codeseam/mcp-dts';
import type { Presentation, PresentationMode, ToolRegistry, WireTool } from '@codeseam/tools';
import { countPresentation } from '../count-tokens.ts';
import { EXIT, messageOf } from '../errors.ts';
import { mcpServersOf } from '../mcp-servers-of.ts';
import { noToolsHint } from '../no-tools.ts';
import { CLI_SCOPE, type Host } from '../open-host.ts';

export const MODES: readonly PresentationMode[] = ['native', 'code', 'both'];

export interface ModeInspection {
  mode: PresentationMode;
  /** Why nothing can be presented in this mode. */
  problem?: string;
  tokens: number;
  tools: WireTool[];
  sections: { id: string; text: string }[];
}

export interface RowInspection {
  id: string;
  name: string;
  state: RowStatus['state'];
  error?: string;
  hint?: string;
  missing?: string[];
}

export interface Inspection {
  config: string;
  /** How to come by tools, where there are none and nothing else says why. */
  hint?: string;
  rows: RowInspection[];
  servers: McpServerStatus[];
  /** The mode that is configured, as it works out. */
  active?: { mode: PresentationMode; transport?: string; problem?: string };
  modes: ModeInspection[];
  /** Why programs cannot run, where that is so. */
  problem?: string;
  codeMode?: Omit<CodeModeInspection, 'catalog' | 'namespaces' | 'files'>;
  catalog: CodeModeInspection['catalog'];
  namespaces: CodeModeInspection['namespaces'];
  files: VirtualFile[];
}

/** Looks at a composition without running anything. Parts that are not mounted are empty. */
export async function collectInspection(host: Host): Promise<Inspection> {
  const tools = host.ctx.get('tools') as ToolRegistry | undefined;
  const hasCodeMode = host.ctx.get('codeMode') !== undefined;
  const codeMode = hasCodeMode ? await host.codeMode().inspect(CLI_SCOPE) : undefined;
  const view = tools?.view(CLI_SCOPE);
  const active = tools?.presentationOf(CLI_SCOPE);
  const catalogs = view ? mcpCatalogs(view) : [];
  const problem = programProblem(host, active?.mode);
  const { catalog = [], namespaces = [], files: _files, ...rest } = codeMode ?? {};
  return {
    config: host.label,
    ...(view?.tools.length === 0 && !hasTrouble(host) && { hint: noToolsHint(host) }),
    rows: host.loader.rows().map(inspectRow),
    servers: mcpServersOf(host.ctx).flatMap((servers) => servers.status()),
    ...(active && { active }),
    modes: tools ? await inspectModes(tools) : [],
    ...(problem !== undefined && { problem }),
    ...(codeMode && { codeMode: rest as Omit<CodeModeInspection, 'catalog' | 'namespaces' | 'files'> }),
    catalog,
    namespaces,
    files: catalogs.length > 0 ? [...describeMcp(catalogs).files] : [],
  };
}

/** Rows and servers that the report shows, which may be why there are no tools. */
function hasTrouble({ loader, ctx }: Host): boolean {
  return loader.rows().some(({ error }) => error) || mcpServersOf(ctx).some((servers) => servers.status().length > 0);
}

/** What keeps programs from running: a row that has failed is told with its row. */
function programProblem(host: Host, mode: PresentationMode | undefined): string | undefined {
  if (mode === undefined || mode === 'native') return undefined;
  try {
    host.checkRuntime();
    return undefined;
  } catch (error) {
    const { message, hint } = error as { message: string; hint?: string };
    const isTold = host.loader.rows().some((row) => row.error?.message === message);
    return isTold ? 'the row of the runtime has failed' : `${message}${hint ? `; ${hint}` : ''}`;
  }
}

/** 2 where the config is at fault, 1 where a server is not there, else 0. */
export function exitCodeOf({ rows, servers, modes, problem }: Inspection): number {
  const isBroken = rows.some(({ state }) => state === 'failed' || state === 'waiting');
  if (isBroken || modes.length === 0 || problem !== undefined) return EXIT.usage;
  return servers.some(({ state }) => state !== 'connected' && state !== 'disabled') ? EXIT.programFailed : EXIT.ok;
}

function inspectRow({ id, name, state, error, missing }: RowStatus): RowInspection {
  const failure = error && { error: error.message, ...(error.hint !== undefined && { hint: error.hint }) };
  return { id, name, state, ...failure, ...(missing && { missing }) };
}

/** Each mode in turn, for a scope of its own that nobody else asks for. */
async function inspectModes(tools: ToolRegistry): Promise<ModeInspection[]> {
  const result: ModeInspection[] = [];
  for (const mode of MODES) {
    const scope = { ...CLI_SCOPE, inspectMode: mode };
    const undo = tools.presentAs(mode, { when: (asking) => asking['inspectMode'] === mode });
    try {
      result.push(await inspectMode(mode, await tools.present(tools.view(scope))));
    } catch (error) {
      result.push({ mode, problem: messageOf(error), tokens: 0, tools: [], sections: [] });
    } finally {
      undo();
    }
  }
  return result;
}

async function inspectMode(mode: PresentationMode, presentation: Presentation): Promise<ModeInspection> {
  return {
    mode,
    tokens: await countPresentation(presentation),
    tools: [...presentation.tools],
    sections: presentation.sections.map((section) => ({ id: section.id, text: section.render() })),
  };
}
