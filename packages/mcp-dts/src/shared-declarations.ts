// What every server's declarations build on: the result of a call, its content, and the call that returns headers.

/** Names that a server's own types must not take. */
export const SHARED_TYPE_NAMES = ['Open', 'McpToolResult', 'McpContent', 'McpHeader'] as const;

/** Name of the type that objects with further keys are intersected with. */
export const OPEN_TYPE = 'Open';

export const SHARED_DECLARATIONS = `  /** An object that may hold further keys. */
  type Open<Known = unknown> = Known & { [key: string]: unknown };
  /** One block of a result. Binary data stays outside the program: \`ref\` names it, \`bytes\` is its size. */
  type McpContent =
    | { type: 'text'; text: string }
    | { type: 'image' | 'audio'; mimeType: string; bytes: number; ref: string }
    | { type: 'resource_link'; uri: string; name: string; title?: string; description?: string; mimeType?: string; size?: number }
    | { type: 'resource'; resource: { uri: string; mimeType?: string; text?: string; bytes?: number; ref?: string } };
  /** What a call resolves to, \`isError: true\` included; only a failed transport, refused arguments or policy reject. */
  type McpToolResult<Structured = unknown> = { content: McpContent[]; structuredContent?: Structured; isError?: boolean };
  /** Declarations as text, and JSON schemas if asked for. */
  type McpHeader = { header: string; schema?: unknown };
`;

/** Declared under \`MCP\` itself. */
export const ROOT_API =
  '  /** These declarations, and the JSON schemas of all tools if asked for. */\n  function $api(options?: { schema?: boolean }): Promise<McpHeader>;\n';

/** Declared for every server. */
export const SERVER_API = 'function $api(tool?: string, options?: { schema?: boolean }): Promise<McpHeader>;\n';

const RESOURCE =
  '{ uri: string; name: string; title?: string; description?: string; mimeType?: string; size?: number }';
const TEMPLATE = '{ uriTemplate: string; name: string; title?: string; description?: string; mimeType?: string }';
const PROMPT =
  '{ name: string; title?: string; description?: string; arguments?: { name: string; description?: string; required?: boolean }[] }';

/** The fixed members of servers that have resources or prompts. */
export const FIXED_DECLARATIONS = {
  resources: {
    list: `function list(): Promise<{ resources: ${RESOURCE}[]; resourceTemplates: ${TEMPLATE}[] }>;`,
    read: '/** A `ref` in place of the URI gives that binary block in base64, as `blob`. */ function read(input: { uri: string }): Promise<{ contents: { uri: string; mimeType?: string; text?: string; bytes?: number; ref?: string; blob?: string }[] }>;',
  },
  prompts: {
    list: `function list(): Promise<{ prompts: ${PROMPT}[] }>;`,
    get: "function get(input: { name: string; arguments?: Record<string, string> }): Promise<{ description?: string; messages: { role: 'user' | 'assistant'; content: McpContent }[] }>;",
  },
} as const;
