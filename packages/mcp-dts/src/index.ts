export { describeMcp } from './describe-mcp.ts';
export { type McpDtsCode, McpDtsError } from './errors.ts';
export { identifiersOf, toCamelIdentifier } from './identifiers.ts';
export { parseCatalogs } from './parse-catalogs.ts';
export * from './types.ts';
