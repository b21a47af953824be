// What the annotations and bounds of a schema say, for doc comments.

import { cutText } from './doc-comment.ts';
import { isJsonArray, type JsonNode, type JsonObject, UNREADABLE } from './read-schema.ts';
import type { Doc } from './type-tree.ts';

/** Bounds that TypeScript cannot express, in the order they are printed. */
const BOUNDS = [
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
] as const;

const MAX_TAG_CHARS = 300;

/** The description and tags of a schema: `@default`, `@format`, `@integer`, bounds, `@deprecated`, `@example`. */
export function readDoc(schema: JsonObject): Doc {
  const tags: [string, string][] = [];
  const value = (key: string) => schema.entries.get(key);
  const add = (tag: string, text: string | undefined) => {
    if (text !== undefined) tags.push([tag, text]);
  };

  add('default', jsonText(value('default')));
  const format = value('format');
  if (typeof format === 'string') add('format', cutText(oneLine(format), MAX_TAG_CHARS));
  if (isInteger(value('type'))) add('integer', '');
  for (const bound of BOUNDS) {
    const limit = value(bound);
    if (Math.abs(limit as number) === Number.MAX_SAFE_INTEGER) continue; // what generators write for "an integer"
    if (typeof limit === 'number' || (bound === 'pattern' && typeof limit === 'string'))
      add(bound, cutText(oneLine(String(limit)), MAX_TAG_CHARS));
    else if (limit === true) add(bound, '');
  }
  if (value('deprecated') === true) add('deprecated', '');
  const examples = value('examples');
  const samples = isJsonArray(examples) ? examples.slice(0, 3) : [];
  for (const sample of samples) add('example', jsonText(sample));
  add('example', jsonText(value('example')));

  const description = value('description');
  return { description: typeof description === 'string' && description.trim() !== '' ? description : undefined, tags };
}

function isInteger(type: JsonNode | undefined): boolean {
  return type === 'integer' || (isJsonArray(type) && type.includes('integer') && !type.includes('number'));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** Compact JSON of at most 300 characters; undefined for what is not there or not readable. */
function jsonText(node: JsonNode | undefined): string | undefined {
  if (node === undefined) return undefined;
  const parts: string[] = [];
  let length = 0;
  const write = (item: JsonNode, depth: number): boolean => {
    if (length > MAX_TAG_CHARS || depth > 8 || item === UNREADABLE) return false;
    const put = (text: string) => {
      parts.push(text);
      length += text.length;
    };
    if (isJsonArray(item)) {
      put('[');
      const fits = item.every((child, index) => {
        if (index > 0) put(',');
        return write(child, depth + 1);
      });
      put(']');
      return fits;
    }
    if (typeof item === 'object' && item !== null) {
      put('{');
      let isFirst = true;
      for (const [key, child] of (item as JsonObject).entries) {
        put(`${isFirst ? '' : ','}${JSON.stringify(key)}:`);
        isFirst = false;
        if (!write(child, depth + 1)) return false;
      }
      put('}');
      return true;
    }
    put(JSON.stringify(item));
    return true;
  };
  return write(node, 0) && length <= MAX_TAG_CHARS ? parts.join('') : undefined;
}
