// MCP servers -> names, virtual declaration files and headers.

import { nearestNames } from '@codeseam/nearest-names';
import { finish, type Steps } from '@codeseam/schema-types';
import { declareOneTool, declareServer, describeServerFile } from './declare-server.ts';
import { McpDtsError } from './errors.ts';
import {
  describeServer,
  findServer,
  findTool,
  type NamedServer,
  nameServers,
  pathOfTool,
  resolvePath,
} from './paths.ts';
import { ROOT_API, SHARED_DECLARATIONS } from './shared-declarations.ts';
import type { McpApi, McpApiServer, McpServerCatalog, McpTarget, VirtualFile } from './types.ts';

const INDEX_PATH = 'mcp/index.d.ts';

/**
 * Describes what is visible of some MCP servers. Pure: nothing is connected to, written or kept elsewhere. The same servers and tools, in
 * whatever order, give the same bytes. Files are made when they are first asked for.
 */
export function describeMcp(catalogs: readonly McpServerCatalog[]): McpApi {
  return new McpDescription(nameServers(catalogs));
}

class McpDescription implements McpApi {
  readonly servers: readonly McpApiServer[];
  private readonly named: readonly NamedServer[];
  private readonly made = new Map<string, VirtualFile>();
  private readonly byPath: ReadonlyMap<string, NamedServer>;
  private readonly byRawName: ReadonlyMap<string, NamedServer>;

  constructor(named: readonly NamedServer[]) {
    this.named = named;
    this.servers = named.map(describeServer);
    this.byPath = new Map(named.map((server) => [pathOfFile(server), server]));
    this.byRawName = new Map(named.map((server) => [server.catalog.name, server]));
  }

  get files(): readonly VirtualFile[] {
    return this.paths().map((path) => this.file(path));
  }

  list(prefix = ''): { files: { path: string; description: string; bytes: number }[] } {
    const wanted = typeof prefix === 'string' ? prefix.replace(/\/$/, '') : prefix;
    if (wanted !== '') this.checkPath(wanted);
    const paths = this.pathsUnder(wanted);
    if (paths.length === 0) throw this.unknownFile(wanted);
    return {
      files: paths.map((path) => this.file(path)).map(({ path, description, bytes }) => ({ path, description, bytes })),
    };
  }

  *prepare(what: { files: string } | 'names'): Steps<void> {
    if (what === 'names') {
      for (const server of this.named) {
        yield* server.nameTools();
        yield;
      }
      return;
    }
    const { files } = what;
    const known = this.pathByRawName(files);
    for (const path of known === undefined ? this.pathsUnder(files.replace(/\/$/, '')) : [known]) {
      yield* this.makeFile(path);
    }
  }

  read(path: string): VirtualFile {
    this.checkPath(path);
    const known = path === INDEX_PATH || this.byPath.has(path) ? path : this.pathByRawName(path);
    if (known === undefined) throw this.unknownFile(path);
    return this.file(known);
  }

  resolve(path: readonly string[]): McpTarget | undefined {
    return resolvePath(this.named, path);
  }

  pathOf(server: string, tool: string): string[] | undefined {
    const named = this.byRawName.get(server);
    return named && pathOfTool(named, tool);
  }

  header(server?: string, tool?: string, options: { schema?: boolean } = {}): { header: string; schema?: unknown } {
    if (server === undefined) {
      const header = this.file(INDEX_PATH).content;
      return options.schema
        ? { header, schema: entriesOf(this.named, (item) => [item.identifier, schemasOf(item)]) }
        : { header };
    }
    const found = this.findServer(server);
    if (tool === undefined) {
      const header = this.file(pathOfFile(found)).content;
      return options.schema ? { header, schema: schemasOf(found) } : { header };
    }
    const target = findTool(found, tool);
    if (target === undefined) {
      const identifiers = found.tools.map((item) => item.identifier);
      throw new McpDtsError(
        'unknown_tool',
        `MCP.${found.identifier} has no tool ${JSON.stringify(tool)}.`,
        hintOf(nearOrFirst(tool, identifiers, 5), 'It has'),
      );
    }
    const header = declareOneTool(found, target);
    return options.schema ? { header, schema: schemaOf(target.info) } : { header };
  }

  private findServer(name: string): NamedServer {
    const found = findServer(this.named, name);
    if (found !== undefined) return found;
    const identifiers = this.named.map((item) => item.identifier);
    throw new McpDtsError(
      'unknown_server',
      `MCP has no server ${JSON.stringify(name)}.`,
      hintOf(nearOrFirst(name, identifiers, 10), 'It has'),
    );
  }

  private paths(): string[] {
    return [INDEX_PATH, ...this.named.map(pathOfFile)];
  }

  private pathByRawName(path: string): string | undefined {
    const name = /^mcp\/(.+)\.d\.ts$/s.exec(path)?.[1];
    const server = name === undefined ? undefined : this.byRawName.get(name);
    return server && pathOfFile(server);
  }

  private checkPath(path: string): void {
    const segments = typeof path === 'string' ? path.split('/') : [''];
    if (segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..')) return;
    throw new McpDtsError(
      'invalid_path',
      `${JSON.stringify(path)} is no path of a declaration file.`,
      hintOf(firstOf(this.paths(), 10), 'There are'),
    );
  }

  private unknownFile(path: string): McpDtsError {
    return new McpDtsError(
      'unknown_file',
      `There is no declaration file ${JSON.stringify(path)}.`,
      hintOf(nearOrFirst(path, this.paths(), 10), 'There are'),
    );
  }

  private pathsUnder(prefix: string): string[] {
    return this.paths().filter((path) => prefix === '' || path === prefix || path.startsWith(`${prefix}/`));
  }

  private file(path: string): VirtualFile {
    return this.made.get(path) ?? finish(this.makeFile(path));
  }

  private *makeFile(path: string): Steps<VirtualFile> {
    const known = this.made.get(path);
    if (known !== undefined) return known;
    const server = this.byPath.get(path);
    const content = server === undefined ? yield* declareIndex(this.named) : yield* declareServer(server);
    const description =
      server === undefined
        ? `What all ${this.named.length} servers share, and which there are`
        : describeServerFile(server);
    const file = { path, content, description, bytes: new TextEncoder().encode(content).length };
    this.made.set(path, file);
    return file;
  }
}

function pathOfFile(server: NamedServer): string {
  return `mcp/${server.identifier}.d.ts`;
}

function* declareIndex(servers: readonly NamedServer[]): Steps<string> {
  let lines = '';
  for (const server of servers) {
    lines += `// ${describeServerFile(server)}, ${pathOfFile(server)}\n`;
    yield;
  }
  return `${lines}declare namespace MCP {\n${SHARED_DECLARATIONS}${ROOT_API}}\n`;
}

function schemaOf(tool: { inputSchema?: unknown; outputSchema?: unknown }): unknown {
  return tool.outputSchema === undefined
    ? { input: tool.inputSchema }
    : { input: tool.inputSchema, output: tool.outputSchema };
}

function schemasOf(server: NamedServer): unknown {
  return entriesOf(server.tools, (tool) => [tool.identifier, schemaOf(tool.info)]);
}

function entriesOf<T>(items: readonly T[], entry: (item: T) => [string, unknown]): Record<string, unknown> {
  return Object.fromEntries(items.map(entry));
}

function nearOrFirst(wanted: string, known: readonly string[], most: number): readonly string[] {
  const near = nearestNames(wanted, known);
  return near.length > 0 ? near : firstOf(known, most);
}

/** The first names, and how many more there are. */
function firstOf(names: readonly string[], most: number): readonly string[] {
  const more = names.length - most;
  return more > 0 ? [...names.slice(0, most), `and ${more} more`] : names;
}

function hintOf(names: readonly string[], verb: string): string {
  return names.length === 0 ? 'There is none.' : `${verb}: ${names.join(', ')}.`;
}
