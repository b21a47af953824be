// MCP servers as tools of the registry.

export type { McpToolValue } from './canonical-result.ts';
export { connectMcpServers, type McpServers, type McpServersDeps } from './connect-servers.ts';
export { MCP_CLIENT_ERROR_CODES, McpClientError, type McpClientErrorCode } from './errors.ts';
export { findMcpServers, parseMcpServers, type ReadMcpJsonOptions } from './read-mcp-json.ts';
export {
  type CallConcurrency,
  type HttpServerConfig,
  type McpClientRow,
  type OAuthConfig,
  readServers,
  type ServerConfig,
  type ServerOptions,
  type StdioServerConfig,
} from './server-config.ts';
export type { McpLogEntry, McpServerState, McpServerStatus } from './status.ts';
