// What a program may find and call, made once for all views with the same tools.
import { globalText } from '@codeseam/code-runtime';
import { describeMcp, type McpApi } from '@codeseam/mcp-dts';
import { finish, type Steps } from '@codeseam/schema-types';
import { runInSlices, type Tool, type ToolSource, type ToolView } from '@codeseam/tools';
import type { ToolCatalogEntry } from '../types.ts';
import { convenienceNamesInSteps } from './convenience-names.ts';
import { KnownCalls } from './known-calls.ts';
import { mcpCatalogsInSteps } from './mcp-catalogs.ts';
import { ToolSearch } from './search/tool-search.ts';
import { toolEntry } from './tool-entry.ts';

/**
 * Its parts are made when they are first asked for. With thousands of tools that would hold up the host, so whoever has
 * time runs `prepare`, `prepareServers` or `prepareCalls` in slices first; without it the result is the same, at once.
 */
export class Catalog {
  /** Tools of `tools` and `ALL_TOOLS`: all that programs may call but MCP's. */
  readonly own: readonly Tool[];
  /** Tools of MCP servers, without what is hidden. */
  readonly mcpTools: readonly Tool[];
  readonly sources: Readonly<Record<ToolSource, number>>;
  readonly #view: ToolView;
  #names: ReadonlyMap<string, string> | undefined;
  #members: ReadonlyMap<string, string> | undefined;
  #mcp: McpApi | undefined;
  #allTools: readonly ToolCatalogEntry[] | undefined;
  #search: Promise<ToolSearch> | undefined;
  #calls: KnownCalls | undefined;

  constructor(
    readonly key: string,
    view: ToolView,
  ) {
    this.#view = view;
    const own: Tool[] = [];
    const mcpTools: Tool[] = [];
    const sources = { host: 0, plugin: 0, mcp: 0, client: 0 };
    for (const tool of view.tools) {
      if (tool.directOnly || tool.control || (tool.source === 'mcp' && tool.hidden)) continue;
      if (tool.source === 'mcp') mcpTools.push(tool);
      else own.push(tool);
      sources[tool.source]++;
    }
    this.own = own;
    this.mcpTools = mcpTools;
    this.sources = sources;
  }

  /** Tools that programs may find. */
  get size(): number {
    return this.own.length + this.mcpTools.length;
  }

  /** Tool id by member of `tools`. */
  get names(): ReadonlyMap<string, string> {
    this.#names ??= finish(convenienceNamesInSteps(this.own));
    return this.#names;
  }

  /** Names, files and headers of the visible MCP servers. */
  get mcp(): McpApi {
    this.#mcp ??= finish(this.#describeMcp());
    return this.#mcp;
  }

  /** For programs: ordered by source (host, plugin, client), then id. The same object for every run, so that a runtime knows it again. */
  get allTools(): readonly ToolCatalogEntry[] {
    this.#allTools ??= finish(this.#listTools());
    return this.#allTools;
  }

  /** What wrong names may have meant. */
  get calls(): KnownCalls {
    this.#calls ??= finish(KnownCalls.collect(this));
    return this.#calls;
  }

  /** Makes ready which servers there are. */
  *prepareServers(): Steps<void> {
    const mcp = this.#mcp ?? (yield* this.#describeMcp());
    this.#mcp ??= mcp;
  }

  /** Makes ready what every run needs. */
  *prepare(): Steps<void> {
    yield* this.prepareServers();
    yield* this.mcp.prepare('names');
    const names = this.#names ?? (yield* convenienceNamesInSteps(this.own));
    this.#names ??= names;
    const entries = this.#allTools ?? (yield* this.#listTools());
    this.#allTools ??= entries;
  }

  /** Makes ready what errors suggest. */
  *prepareCalls(): Steps<void> {
    const calls = this.#calls ?? (yield* KnownCalls.collect(this));
    this.#calls ??= calls;
  }

  search(): Promise<ToolSearch> {
    this.#search ??= runInSlices(ToolSearch.build([...this.own, ...this.mcpTools]));
    return this.#search;
  }

  /** The function of `tools` that stands for a tool, if there is one. */
  memberOf(toolId: string): string | undefined {
    this.#members ??= new Map([...this.names].map(([member, id]) => [id, member]));
    return this.#members.get(toolId);
  }

  entry(tool: Tool): ToolCatalogEntry {
    return toolEntry(tool, this.callPath(tool));
  }

  /** How a program calls an MCP tool; undefined for others. */
  callPath(tool: Tool): string | undefined {
    if (tool.source !== 'mcp') return undefined;
    return this.mcp.pathOf(tool.owner, tool.name)?.join('.');
  }

  *#describeMcp(): Steps<McpApi> {
    return describeMcp(yield* mcpCatalogsInSteps(this.#view));
  }

  *#listTools(): Steps<readonly ToolCatalogEntry[]> {
    const entries: ToolCatalogEntry[] = [];
    for (const tool of this.own) {
      const entry = Object.freeze(toolEntry(tool));
      // A runtime that has read every entry joins the list at no cost.
      globalText('ALL_TOOLS', entry);
      entries.push(entry);
      yield;
    }
    const all = Object.freeze(entries);
    globalText('ALL_TOOLS', all);
    return all;
  }
}
