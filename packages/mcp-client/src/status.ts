// What can be seen of a server from outside: its state, and the lines it logs.

/**
 * `reconnecting`: lost, its tools still there, calls wait a moment. `failed`: its tools are gone, it is tried again every
 * 30 seconds (never by itself where the command is missing or the credentials are refused).
 */
export type McpServerState = 'connecting' | 'connected' | 'reconnecting' | 'failed' | 'disabled' | 'closed';

export interface McpServerStatus {
  name: string;
  transport: 'stdio' | 'http' | 'sse';
  state: McpServerState;
  /** How many sets of tools have been current so far. */
  generation: number;
  tools: number;
  /** Resources and resource templates. */
  resources: number;
  prompts: number;
  /** Failed attempts since the last good connection. */
  attempts: number;
  /** What could not be read of its lists, for people. */
  problems: string[];
  serverInfo?: { name: string; version: string };
  protocolVersion?: string;
  pid?: number;
  lastError?: string;
}

export interface McpLogEntry {
  server: string;
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
}
