// Shows any value readably and within bounds, without running a getter, a proxy's trap or any other code of the program.
import {
  exec,
  functionToString,
  getOwnPropertyDescriptor,
  hasOwn,
  indexOf,
  isArray,
  isEnumerable,
  min,
  nativeStringify,
  ownKeys,
  slice,
  symbolToString,
  toText,
} from './intrinsics.ts';
import { className, inheritedText, type LabelOf, ownData } from './own-data.ts';
import { kindOf, type ValueKind } from './value-kinds.ts';

export interface FormatOptions {
  /** Says what to show for a value that must not be looked into, such as a proxy. */
  labelOf: LabelOf;
  /** The frames of an error, one a line, if the engine keeps them where no getter of the program is in the way. */
  framesOf?: (error: object) => string | undefined;
}

const DEEPEST = 6;
const MOST_ITEMS = 100;
const MOST_KEYS = 200;
const LONGEST_KEYED_ARRAY = 1_000;
const LONGEST_STRING = 4_000;
const LINE_WIDTH = 76;
/** Once so much is shown, what is left is only hinted at. */
const LONGEST_TEXT = 64_000;

/** One call of the formatter. */
interface Pass extends FormatOptions {
  shown: number;
}

/** The objects around a value, innermost first. */
interface Outer {
  readonly value: object;
  readonly outer: Outer | null;
  readonly depth: number;
}

/** Shows a value as it would stand inside an object: strings quoted. */
export function formatValue(value: unknown, options: FormatOptions): string {
  return show(value, null, { ...options, shown: 0 });
}

function show(value: unknown, outer: Outer | null, pass: Pass): string {
  const text = showAny(value, outer, pass);
  pass.shown += text.length;
  return text;
}

function showAny(value: unknown, outer: Outer | null, pass: Pass): string {
  switch (typeof value) {
    case 'string':
      return showString(value);
    case 'number':
      return value === 0 && 1 / value < 0 ? '-0' : toText(value);
    case 'bigint':
      return `${toText(value)}n`;
    case 'symbol':
      return symbolToString(value);
    case 'object':
    case 'function':
      return value === null ? 'null' : showObject(value, outer, pass);
    default:
      return toText(value);
  }
}

function showString(value: string): string {
  const cut = value.length > LONGEST_STRING ? slice(value, 0, LONGEST_STRING) : value;
  const quoted = nativeStringify(cut);
  const plain = indexOf(cut, "'") === -1 && indexOf(cut, '"') === -1;
  const shown = plain ? `'${slice(quoted, 1, -1)}'` : quoted;
  return cut === value ? shown : `${shown}... ${value.length - LONGEST_STRING} more characters`;
}

function showObject(value: object, outer: Outer | null, pass: Pass): string {
  const label = pass.labelOf(value);
  if (label !== undefined) return label;
  for (let at = outer; at !== null; at = at.outer) if (at.value === value) return '[Circular]';
  if (pass.shown > LONGEST_TEXT) return '…';
  const inner: Outer = { value, outer, depth: outer === null ? 0 : outer.depth + 1 };
  if (typeof value === 'function') return withKeys(functionLabel(value), value, inner, pass);
  if (isArray(value)) return showArray(value, inner, pass);
  const kind = kindOf(value, (at) => pass.labelOf(at) !== undefined);
  if (kind !== undefined) return showKind(kind, value, inner, pass);
  const name = className(value, pass.labelOf);
  const prefix = name === null ? '[Object: null prototype] ' : name === 'Object' ? '' : `${name} `;
  if (inner.depth > DEEPEST) return `[${name ?? 'Object'}]`;
  return `${prefix}${group('{', '}', keyEntries(value, inner, pass), false)}`;
}

function showKind(kind: ValueKind, value: object, inner: Outer, pass: Pass): string {
  const name = className(value, pass.labelOf) ?? 'null';
  switch (kind.kind) {
    case 'error':
      return withKeys(showError(value, inner, pass), value, inner, pass);
    case 'map':
    case 'set': {
      const head = `${name}(${kind.size}) `;
      if (inner.depth > DEEPEST) return `[${name}]`;
      const entries = new List();
      const visit = (item: unknown, key: unknown): void => {
        if (++seen > MOST_ITEMS) return;
        const shown = show(item, inner, pass);
        entries.add(kind.kind === 'set' ? shown : `${show(key, inner, pass)} => ${shown}`);
      };
      let seen = 0;
      kind.each(visit as never);
      if (seen > MOST_ITEMS) entries.add(`... ${seen - MOST_ITEMS} more items`);
      return `${head}${group('{', '}', entries.append(keyEntries(value, inner, pass)), false)}`;
    }
    case 'bytes': {
      const entries = new List();
      const count = min(kind.length, MOST_ITEMS);
      for (let index = 0; index < count; index++) entries.add(show((value as ArrayLike<unknown>)[index], inner, pass));
      if (kind.length > count) entries.add(`... ${kind.length - count} more items`);
      return `${kind.name}(${kind.length}) ${group('[', ']', entries, true)}`;
    }
    default:
      return withKeys(kind.text, value, inner, pass);
  }
}

function showArray(value: unknown[], inner: Outer, pass: Pass): string {
  const name = className(value, pass.labelOf);
  const prefix = name === 'Array' ? '' : `${name ?? 'Array'}(${value.length}) `;
  if (inner.depth > DEEPEST) return `[${name ?? 'Array'}]`;
  const entries = new List();
  const count = min(value.length, MOST_ITEMS);
  let holes = 0;
  let simple = true;
  for (let index = 0; index <= count; index++) {
    const isHole = index < count && !hasOwn(value, index);
    if (isHole) holes++;
    else if (holes > 0) {
      entries.add(holes === 1 ? 'empty' : `${holes} empty items`);
      holes = 0;
    }
    if (isHole || index === count) continue;
    const item = showProperty(value, index, inner, pass);
    if (item.length > 16) simple = false;
    entries.add(item);
  }
  if (value.length > count) entries.add(`... ${value.length - count} more items`);
  return `${prefix}${group('[', ']', entries.append(arrayKeys(value, inner, pass)), simple)}`;
}

function showError(error: object, inner: Outer, pass: Pass): string {
  const name = inheritedText(error, 'name', pass.labelOf) ?? 'Error';
  const message = inheritedText(error, 'message', pass.labelOf) ?? '';
  const head = message === '' ? name : `${name}: ${message}`;
  if (inner.depth > 0) return `[${head}]`;
  const frames = pass.framesOf?.(error);
  const cause = hasOwn(error, 'cause') ? `\n  [cause]: ${showProperty(error, 'cause', inner, pass)}` : '';
  return `${head}${frames ? `\n${frames}` : ''}${cause}`;
}

function functionLabel(value: object): string {
  const name = ownData(value, 'name');
  const shown = typeof name === 'string' && name !== '' ? name : '(anonymous)';
  return exec(CLASS, functionToString(value)) ? `[class ${shown}]` : `[Function: ${shown}]`;
}

const CLASS = /^class[\s{]/;

/** A label, followed by the value's own keys if it has any. */
function withKeys(label: string, value: object, inner: Outer, pass: Pass): string {
  if (inner.depth > DEEPEST) return label;
  const entries = keyEntries(value, inner, pass);
  return entries.count === 0 ? label : `${label} ${group('{', '}', entries, false)}`;
}

/** What an array holds beside its items; not looked for in long ones, where listing the keys is work. */
function arrayKeys(value: unknown[], inner: Outer, pass: Pass): List {
  return value.length > LONGEST_KEYED_ARRAY ? new List() : keyEntries(value, inner, pass, true);
}

/** `key: value` of each own enumerable key. */
function keyEntries(value: object, inner: Outer, pass: Pass, isArray = false): List {
  const entries = new List();
  const keys = ownKeys(value);
  let left = 0;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    if (isArray && typeof key === 'string' && exec(INDEX, key)) continue;
    // Not by the descriptor: of an error's stack that would be made now, by code that asks the error's prototypes.
    if (!isEnumerable(value, key)) continue;
    if (entries.count >= MOST_KEYS) left++;
    else entries.add(`${keyText(key)}: ${showProperty(value, key, inner, pass)}`);
  }
  if (left > 0) entries.add(`... ${left} more keys`);
  return entries;
}

function showProperty(target: object, key: PropertyKey, inner: Outer, pass: Pass): string {
  const property = getOwnPropertyDescriptor(target, key);
  if (property === undefined || hasOwn(property, 'value')) return show(property?.value, inner, pass);
  if (property.get === undefined) return '[Setter]';
  return property.set === undefined ? '[Getter]' : '[Getter/Setter]';
}

const INDEX = /^(?:0|[1-9][0-9]*)$/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

function keyText(key: string | symbol): string {
  if (typeof key === 'symbol') return `[${symbolToString(key)}]`;
  return exec(IDENTIFIER, key) ? key : showString(key);
}

interface ListItem {
  readonly text: string;
  next: ListItem | undefined;
}

/** A list of texts that asks no array method, which a program may have patched. */
class List {
  first: ListItem | undefined;
  #last: ListItem | undefined;
  count = 0;
  /** Characters in all. */
  length = 0;
  hasBreaks = false;

  add(text: string): this {
    const item: ListItem = { text, next: undefined };
    if (this.#last) this.#last.next = item;
    else this.first = item;
    this.#last = item;
    this.count++;
    this.length += text.length;
    if (indexOf(text, '\n') !== -1) this.hasBreaks = true;
    return this;
  }

  append(other: List): this {
    for (let item = other.first; item; item = item.next) this.add(item.text);
    return this;
  }
}

/** Entries between brackets: on one line if they fit, else one a line, or as many a line as fit. */
function group(open: string, close: string, entries: List, fill: boolean): string {
  if (entries.count === 0) return open + close;
  const fits = !entries.hasBreaks && entries.length + entries.count * 2 <= LINE_WIDTH;
  let text = '';
  let width = 0;
  for (let item = entries.first; item; item = item.next) {
    const isFirst = item === entries.first;
    const sameLine = fits || (fill && !isFirst && width + item.text.length + 2 <= LINE_WIDTH);
    text += isFirst ? '' : ',';
    text += sameLine ? ' ' : '\n  ';
    width = sameLine ? width + item.text.length + 2 : item.text.length + 2;
    text += indent(item.text);
  }
  return fits ? `${open}${text} ${close}` : `${open}${text}\n${close}`;
}

function indent(text: string): string {
  let shown = '';
  let start = 0;
  for (let at = indexOf(text, '\n'); at !== -1; at = indexOf(text, '\n', start)) {
    shown += `${slice(text, start, at)}\n  `;
    start = at + 1;
  }
  return shown + slice(text, start);
}
