// An output item of a prelude as JSON text, rebuilt field by field.
import { stringifyJson, toLosslessJson } from '@codeseam/lossless-json';
import { RealTypeError } from './intrinsics.ts';

/**
 * Gives the JSON text of what a prelude emits: `{ type: 'text' | 'note', text }` or `{ type: 'json', value }`.
 *
 * @throws TypeError for anything else, with what is wrong.
 */
export function outputItemText(item: unknown): string {
  if (typeof item !== 'object' || item === null) throw new RealTypeError('an output item must be an object');
  const { type, text, value } = item as { type?: unknown; text?: unknown; value?: unknown };
  if (type === 'json') {
    if (value === undefined) throw new RealTypeError('an output item of type json must have a value');
    return `{"type":"json","value":${stringifyJson(toLosslessJson(value))}}`;
  }
  if (type !== 'text' && type !== 'note') throw new RealTypeError('an output item must be of type text, json or note');
  if (typeof text !== 'string') throw new RealTypeError(`the text of an output item of type ${type} must be a string`);
  return `{"type":"${type}","text":${stringifyJson(text)}}`;
}
