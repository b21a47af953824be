// What goes into and comes out of the declarations of MCP servers.

import type { Steps } from '@codeseam/schema-types';

/** A tool as `tools/list` gives it; all of it untrusted. */
export interface McpToolInfo {
  name: string;
  title?: string;
  description?: string;
  inputSchema?: unknown;
  outputSchema?: unknown;
  annotations?: unknown;
}

/** What is visible of one server. A server with nothing visible has no file. */
export interface McpServerCatalog {
  /** The server's name in the config: the owner of its tools. */
  name: string;
  title?: string;
  version?: string;
  instructions?: string;
  tools: readonly McpToolInfo[];
  /** Whether `resources.list` and `resources.read` exist. */
  resources?: { list: boolean; read: boolean };
  /** Whether `prompts.list` and `prompts.get` exist. */
  prompts?: { list: boolean; get: boolean };
}

export interface VirtualFile {
  /** `mcp/index.d.ts` or `mcp/<server>.d.ts`. */
  path: string;
  content: string;
  description: string;
  /** UTF-8 bytes of `content`. */
  bytes: number;
}

/** What a path of identifiers means. `tool` is the raw name; `$resources.list` and the like for the fixed members. */
export interface McpTarget {
  server: string;
  tool: string;
}

export interface McpApiServer {
  /** The raw name. */
  server: string;
  /** Its identifier under `MCP`. */
  identifier: string;
  toolCount: number;
  /** By identifier; named when first asked for. */
  readonly tools: readonly { tool: string; identifier: string }[];
  resources: { list: boolean; read: boolean };
  prompts: { list: boolean; get: boolean };
}

export interface McpApi {
  readonly files: readonly VirtualFile[];
  /**
   * Makes the files under a prefix ahead, or settles the names of tools alone, step by step, for a caller who must not be
   * held up: what is asked for afterwards is there. Asking without it is the same, at once.
   */
  prepare(what: { files: string } | 'names'): Steps<void>;
  readonly servers: readonly McpApiServer[];
  /** `API.list`. */
  list(prefix?: string): { files: { path: string; description: string; bytes: number }[] };
  /** `API.read`; throws `McpDtsError` naming the files that exist. */
  read(path: string): VirtualFile;
  /** `['github', 'createIssue']`, raw names too; `['github', 'resources', 'list']`. */
  resolve(path: readonly string[]): McpTarget | undefined;
  /** The identifier path of a tool, for `callPath`: `MCP.github.createIssue`. */
  pathOf(server: string, tool: string): string[] | undefined;
  /** `$api`: the header of all servers, one server or one tool (identifier or raw name), with JSON schemas if asked. Throws `McpDtsError` with near names. */
  header(server?: string, tool?: string, options?: { schema?: boolean }): { header: string; schema?: unknown };
}
