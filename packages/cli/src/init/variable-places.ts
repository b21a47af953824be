// Places such as ${TOKEN} in the files of other clients, as expressions of our config.

const PLACE = /\$\{([^}]*)\}/g;
const VARIABLE = /^(?:env:)?([A-Za-z_]\w*)(?::-([\s\S]*))?$/;

/**
 * The expression that a text with places stands for: `Bearer ${TOKEN}` is `('Bearer ' + env.TOKEN)`, `${PORT:-80}` is
 * `(env.PORT ?? '80')`. Undefined for a text without places. What only its own client can fill (`${input:key}`) becomes a
 * variable of that name, which nobody has set: the row then says so.
 */
export function expressionOfPlaces(text: string): string | undefined {
  const parts: string[] = [];
  let end = 0;
  for (const found of text.matchAll(PLACE)) {
    if (found.index > end) parts.push(quoted(text.slice(end, found.index)));
    parts.push(placeExpression(found[1]!));
    end = found.index + found[0].length;
  }
  if (parts.length === 0) return undefined;
  if (end < text.length) parts.push(quoted(text.slice(end)));
  // In brackets, since a YAML scalar that begins with a quote ends at the next one.
  return parts.length === 1 ? parts[0] : `(${parts.join(' + ')})`;
}

function placeExpression(place: string): string {
  const [, name, otherwise] = VARIABLE.exec(place) ?? [];
  if (name === undefined) return `env[${quoted(place)}]`;
  return otherwise === undefined ? `env.${name}` : `(env.${name} ?? ${quoted(otherwise)})`;
}

/** A string of JavaScript on one line. */
function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner}'`;
}

/** A JSON value with every text that has places replaced. */
export function replacePlaces(value: unknown, make: (expression: string) => unknown): unknown {
  if (typeof value === 'string') {
    const expression = expressionOfPlaces(value);
    return expression === undefined ? value : make(expression);
  }
  if (Array.isArray(value)) return value.map((item) => replacePlaces(item, make));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replacePlaces(item, make)]));
}
