// What hooks are told of a call of `exec`, and how they may rewrite it.
import type { JsonValue } from '@codeseam/lossless-json';

/** `toolKind` and `toolInputKind` for the hook events of the outer call. */
export function describeCall(name: string, args: JsonValue): Readonly<Record<string, JsonValue>> {
  if (name !== 'exec') return { toolKind: 'code_mode_wait' };
  const language = (args as { language?: unknown } | null)?.language;
  return { toolKind: 'code_mode_exec', toolInputKind: language === 'typescript' ? 'typescript' : 'javascript' };
}

/** A policy that rewrites only one of `code` and `command` means both. */
export function followAlias(before: JsonValue, after: JsonValue): JsonValue | undefined {
  if (!isRecord(before) || !isRecord(after)) return undefined;
  const was = before['code'] ?? before['command'];
  const { code, command, ...rest } = after;
  const rewritten =
    code !== undefined && code !== was ? code : command !== undefined && command !== was ? command : (code ?? command);
  return rewritten === undefined ? undefined : { ...rest, code: rewritten };
}

function isRecord(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
