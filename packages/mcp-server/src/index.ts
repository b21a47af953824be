// Code mode as an MCP server.
export type { FrontApprovals, PendingApproval } from './approvals.ts';
export { createMcpFront, type FrontTools, type McpFront, type McpFrontOptions } from './create-front.ts';
export { MCP_FRONT_ERROR_CODES, McpFrontError, type McpFrontErrorCode } from './errors.ts';
export type { HttpFront, HttpFrontOptions } from './http-front.ts';
export { isLoopback } from './http-guards.ts';
export { claimServing } from './self-upstream.ts';
export type { StdioFront, StdioFrontOptions } from './stdio-front.ts';
