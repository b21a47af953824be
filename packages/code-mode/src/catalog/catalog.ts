// What a program may find and call, made once for all views with the same tools.
import { describeMcp, type McpApi } from '@codeseam/mcp-dts';
import type { Tool, ToolSource, ToolView } from '@codeseam/tools';
import type { ToolCatalogEntry } from '../types.ts';
import { convenienceNames } from './convenience-names.ts';
import { mcpCatalogs } from './mcp-catalogs.ts';
import { ToolSearch } from './search/tool-search.ts';
import { SliceClock } from './slice-clock.ts';
import { toolEntry } from './tool-entry.ts';

export class Catalog {
  /** Tools of `tools` and `ALL_TOOLS`: all that programs may call but MCP's. */
  readonly own: readonly Tool[];
  /** Tools of MCP servers, without what is hidden. */
  readonly mcpTools: readonly Tool[];
  /** Tool id by member of `tools`. */
  readonly names: ReadonlyMap<string, string>;
  readonly sources: Readonly<Record<ToolSource, number>>;
  readonly #view: ToolView;
  readonly #members: ReadonlyMap<string, string>;
  #mcp: McpApi | undefined;
  #allTools: readonly ToolCatalogEntry[] | undefined;
  #search: Promise<ToolSearch> | undefined;

  constructor(
    readonly key: string,
    view: ToolView,
  ) {
    this.#view = view;
    const callable = view.tools.filter((tool) => !tool.directOnly && !tool.control);
    this.own = callable.filter((tool) => tool.source !== 'mcp');
    this.mcpTools = callable.filter((tool) => tool.source === 'mcp' && !tool.hidden);
    this.names = convenienceNames(this.own);
    this.#members = new Map([...this.names].map(([member, id]) => [id, member]));
    const count = (source: ToolSource) => this.own.filter((tool) => tool.source === source).length;
    this.sources = { host: count('host'), plugin: count('plugin'), mcp: this.mcpTools.length, client: count('client') };
  }

  /** Tools that programs may find. */
  get size(): number {
    return this.own.length + this.mcpTools.length;
  }

  /** Names, files and headers of the visible MCP servers. */
  get mcp(): McpApi {
    this.#mcp ??= describeMcp(mcpCatalogs(this.#view));
    return this.#mcp;
  }

  /** Makes what every run needs, without holding the event loop for long. Free when it was done before. */
  async prepare(): Promise<void> {
    if (this.#allTools) return;
    const clock = new SliceClock();
    const entries: ToolCatalogEntry[] = [];
    for (const tool of this.own) {
      entries.push(Object.freeze(toolEntry(tool)));
      if (clock.isOver()) await clock.pause();
    }
    // The same object for every run, so that a runtime knows it again.
    this.#allTools ??= Object.freeze(entries);
  }

  /** Ordered by source (host, plugin, client), then id. Only after `prepare`. */
  get allTools(): readonly ToolCatalogEntry[] {
    return this.#allTools ?? [];
  }

  search(): Promise<ToolSearch> {
    this.#search ??= ToolSearch.build([...this.own, ...this.mcpTools]);
    return this.#search;
  }

  /** The function of `tools` that stands for a tool, if there is one. */
  memberOf(toolId: string): string | undefined {
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
}
