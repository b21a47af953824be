// The rows of a config: cordis' own format, checked field by field.
import { nearestNames } from '@codeseam/nearest-names';
import { isPlainObject } from './evaluate-expression.ts';

/** One plugin of the composition. */
export interface CordisRow {
  /** How the row is called in messages, and the owner of what its plugin registers. Default: the name. */
  id?: string;
  /** A package, a package's entry, or a path relative to the file. A group may go without. */
  name?: string;
  config?: unknown;
  disabled?: boolean | null;
  /** `config` is a list of rows, which this row switches off together. */
  group?: boolean | null;
}

/** A row on its own: groups are flattened, ids given. */
export interface FlatRow {
  id: string;
  name: string;
  config: unknown;
  disabled: boolean;
  /** Where it stands: indices and keys from the root of the file. */
  path: readonly PropertyKey[];
  /** What is wrong with the row itself, and at which field. */
  problem?: { message: string; path: readonly PropertyKey[] };
}

const ROW_FIELDS = ['id', 'name', 'config', 'disabled', 'group'];
const FOREIGN_FIELDS = ['inject', 'intercept', 'isolate'];

/** Gives every row its id and flattens groups; what is wrong with a row is kept with it. */
export function flattenRows(rows: readonly unknown[]): FlatRow[] {
  const flat: FlatRow[] = [];
  const ids = new Set<string>();
  collect(rows, { prefix: '', path: [], disabled: false }, flat, ids);
  return flat;
}

interface Surroundings {
  prefix: string;
  path: readonly PropertyKey[];
  disabled: boolean;
}

function collect(rows: readonly unknown[], around: Surroundings, flat: FlatRow[], ids: Set<string>): void {
  rows.forEach((row, index) => {
    const path = [...around.path, index];
    const problem = checkRow(row, path);
    const fields: Record<string, unknown> = isPlainObject(row) ? row : {};
    const name = typeof fields['name'] === 'string' ? fields['name'] : '';
    const given = typeof fields['id'] === 'string' && fields['id'] !== '' ? fields['id'] : undefined;
    const id = around.prefix + (given ?? (name || `row ${index + 1}`));
    const disabled = around.disabled || fields['disabled'] === true;
    const entry = { name, config: fields['config'], disabled, path };
    if (!problem && fields['group'] === true) {
      collect(fields['config'] as unknown[], { prefix: `${id}:`, path: [...path, 'config'], disabled }, flat, ids);
    } else if (given !== undefined && ids.has(id)) {
      const message = `the id ${JSON.stringify(id)} is taken by an earlier row`;
      flat.push({ ...entry, id: free(id, ids), problem: { message, path: [...path, 'id'] } });
    } else {
      flat.push({ ...entry, id: free(id, ids), ...(problem && { problem }) });
    }
  });
}

/** The id itself, or with the number of its repetition where a row without an id of its own comes again. */
function free(id: string, ids: Set<string>): string {
  let candidate = id;
  for (let count = 2; ids.has(candidate); count++) candidate = `${id}#${count}`;
  ids.add(candidate);
  return candidate;
}

function checkRow(row: unknown, path: readonly PropertyKey[]): FlatRow['problem'] {
  if (!isPlainObject(row)) {
    return { message: 'a row is an object like { name: "@codeseam/tools", config: {} }', path };
  }
  for (const key of Object.keys(row)) {
    if (ROW_FIELDS.includes(key)) continue;
    const message = FOREIGN_FIELDS.includes(key)
      ? `the row field ${key} is not supported; use ${ROW_FIELDS.join(', ')}`
      : `unknown row field ${JSON.stringify(key)}${didYouMean(key)}; a row has ${ROW_FIELDS.join(', ')}`;
    return { message, path: [...path, key] };
  }
  const { id, name, config, disabled, group } = row;
  if (id !== undefined && (typeof id !== 'string' || id === '')) {
    return { message: `id must be a non-empty string, got ${show(id)}`, path: [...path, 'id'] };
  }
  for (const [key, value] of Object.entries({ disabled, group })) {
    if (value !== undefined && value !== null && typeof value !== 'boolean') {
      return { message: `${key} must be true or false, got ${show(value)}`, path: [...path, key] };
    }
  }
  if (group === true) {
    if (Array.isArray(config)) return undefined;
    return { message: `the config of a group must be a list of rows, got ${show(config)}`, path: [...path, 'config'] };
  }
  if (typeof name !== 'string' || name === '') {
    const message = name === undefined ? 'name is missing' : `name must be a non-empty string, got ${show(name)}`;
    return { message: `${message}; it is a package or a relative path`, path: [...path, 'name'] };
  }
  return undefined;
}

function didYouMean(key: string): string {
  const nearest = nearestNames(key, ROW_FIELDS)[0];
  return nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
}

/** A value in a message, short. */
function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
