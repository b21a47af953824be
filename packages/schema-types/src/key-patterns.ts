// `patternProperties` patterns that a template literal type can express. No regular expression of a schema is ever run.

/** Keys that start with `prefix` and end with `suffix`; both empty means every key. */
export interface KeyShape {
  prefix: string;
  suffix: string;
}

const ANYTHING = new Set([
  '',
  '.*',
  '.+',
  '^.*$',
  '^.+$',
  '^.*',
  '^.+',
  '.*$',
  '.+$',
  '^',
  '$',
  '^(.*)$',
  '^(.+)$',
  '[\\s\\S]*',
  '^[\\s\\S]*$',
]);

/**
 * The shape of the keys that a pattern matches, or undefined if no template says it exactly. The shape never covers a key that the
 * pattern does not match (`.` matches no line break: such keys are let pass as rare).
 */
export function keyShape(pattern: string): KeyShape | undefined {
  if (ANYTHING.has(pattern)) return { prefix: '', suffix: '' };
  const start = /^\^(.+?)(?:\.\*\$?)?$/s.exec(pattern);
  const prefix = start && literalText(start[1]!);
  if (prefix) return { prefix, suffix: '' };
  const end = /^(?:\^?\.\*)?(.+)\$$/s.exec(pattern);
  const suffix = end && literalText(end[1]!);
  if (suffix) return { prefix: '', suffix };
  return undefined;
}

/** The text that a pattern without any operator matches, or undefined. */
function literalText(pattern: string): string | undefined {
  let text = '';
  for (let index = 0; index < pattern.length; index++) {
    const char = pattern[index]!;
    if (char === '\\') {
      const next = pattern[++index];
      if (next === undefined || /[\p{L}\p{N}]/u.test(next)) return undefined;
      text += next;
    } else if ('.*+?()[]{}|^$'.includes(char)) return undefined;
    else text += char;
  }
  return text;
}

export function matchesShape(key: string, shape: KeyShape): boolean {
  const { prefix, suffix } = shape;
  return key.length >= prefix.length + suffix.length && key.startsWith(prefix) && key.endsWith(suffix);
}
