// The one error class of this package.

/** What can go wrong, by code. */
export const MCP_DTS_CODES = {
  unknown_file: 'A path names no declaration file.',
  invalid_path: 'A path is empty or holds an empty, `.` or `..` segment.',
  unknown_server: 'A name names no visible server.',
  unknown_tool: 'A name names no visible tool of its server.',
  invalid_catalog: 'A tools document is not of the accepted shape.',
  compiler_missing: 'The TypeScript compiler is not installed.',
} as const;

export type McpDtsCode = keyof typeof MCP_DTS_CODES;

export class McpDtsError extends Error {
  readonly code: McpDtsCode;
  readonly hint: string | undefined;

  constructor(code: McpDtsCode, message: string, hint?: string) {
    super(message);
    this.name = 'McpDtsError';
    this.code = code;
    this.hint = hint;
  }
}
