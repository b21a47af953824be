// Stage 3: a type tree as Python declarations.

import type { TypeTree } from './build-tree.ts';
import { mergedObject } from './merged-object.ts';
import { isPythonName, pythonDocstring, pythonString } from './python-source.ts';
import { pascalCase, toTypeName } from './type-name.ts';
import type { Doc, NamedType, ObjectNode, TypeNode } from './type-tree.ts';

/** What the declarations need. */
export const PYTHON_IMPORTS = 'from typing import Any, Literal, Never, NotRequired, TypeAlias, TypedDict, Union\n';

export function printPython(
  tree: TypeTree,
  options: { name: string; taken: Set<string> },
): { type: string; declarations: string } {
  const printer = new PythonPrinter(options.taken);
  return printer.printTree(tree, options.name);
}

/** Around a name that is not declared yet: quoted where it stands alone, plain inside a quoted alias. */
const FORWARD = '\u0001';

class PythonPrinter {
  private readonly taken: Set<string>;
  private readonly declarations: string[] = [];
  private readonly declared = new Set<string>();

  constructor(taken: Set<string>) {
    this.taken = taken;
  }

  printTree(tree: TypeTree, name: string): { type: string; declarations: string } {
    // Last found first: what is referenced is then mostly declared before it is used.
    for (const named of [...tree.named].reverse()) this.declare(named);
    const type = quoteForward(this.print(tree.root, pascalCase(name)));
    return { type, declarations: this.declarations.join('\n') };
  }

  /** A type expression; objects with properties are declared first, under a name made from `place`. */
  private print(type: TypeNode, place: string): string {
    switch (type.kind) {
      case 'unknown':
        return 'Any';
      case 'never':
        return 'Never';
      case 'null':
        return 'None';
      case 'string':
        return 'str';
      case 'number':
        return 'float';
      case 'integer':
        return 'int';
      case 'boolean':
        return 'bool';
      case 'literal':
        return this.printUnion([type], place);
      case 'array':
        return `list[${this.print(type.items, place)}]`;
      case 'tuple':
        // JSON arrays arrive as lists, which have one item type.
        return `list[${this.printUnion([...type.items.map((item) => item.type), ...(type.rest ? [type.rest] : [])], place)}]`;
      case 'object':
        return this.printObject(type, place);
      case 'union':
        return this.printUnion(type.members, place);
      case 'intersection': {
        const merged = mergedObject(type);
        return merged === undefined ? 'Any' : this.printObject({ ...merged, doc: type.doc }, place);
      }
      case 'reference': {
        const { name } = type.target;
        return this.declared.has(name) ? name : `${FORWARD}${name}${FORWARD}`;
      }
    }
  }

  private declare(named: NamedType): void {
    const type = named.type ?? { kind: 'unknown' as const };
    const object = type.kind === 'intersection' ? mergedObject(type) : type;
    if (object?.kind === 'object' && isTypedDict(object)) {
      this.declareTypedDict({ ...object, doc: type.doc }, named.name);
      return;
    }
    const text = this.print({ ...type, doc: undefined }, `${named.name} Value`);
    const source = text.includes(FORWARD) ? pythonString(text.replaceAll(FORWARD, '')) : text;
    this.declarations.push(`${commentLines(type.doc)}${named.name}: TypeAlias = ${source}\n`);
    this.declared.add(named.name);
  }

  private printObject(type: ObjectNode, place: string): string {
    if (!isTypedDict(type)) {
      const values = [...type.patterns.map((pattern) => pattern.type), ...(type.rest ? [type.rest] : [])];
      return `dict[str, ${values.length === 0 ? 'Never' : this.printUnion(values, `${place} Value`)}]`;
    }
    const name = toTypeName(place.normalize('NFKC'), this.taken);
    this.declareTypedDict(type, name);
    return name;
  }

  private declareTypedDict(type: ObjectNode, name: string): void {
    // A key without characters cannot be named in Python; it is one of the further keys.
    const fields = type.properties
      .filter(({ key }) => key !== '')
      .map(({ key, type: inner, optional }) => {
        const text = quoteForward(this.print(inner, `${name} ${pascalCase(key)}`));
        return { key, text: optional ? `NotRequired[${text}]` : text, doc: inner.doc };
      });
    // Class bodies mangle names with two leading underscores, and know identifiers only.
    const isClass = fields.every(({ key }) => isPythonName(key) && !key.startsWith('__'));
    this.declarations.push(isClass ? classSource(type, name, fields) : functionSource(type, name, fields));
    this.declared.add(name);
  }

  private printUnion(types: readonly TypeNode[], place: string): string {
    const literals: string[] = [];
    const others: string[] = [];
    for (const type of types) {
      const text = type.kind === 'literal' ? literalSource(type.value) : undefined;
      if (text !== undefined) literals.push(text);
      else others.push(type.kind === 'literal' ? 'float' : this.print(type, place));
    }
    const members = [
      ...new Set([...(literals.length > 0 ? [`Literal[${[...new Set(literals)].join(', ')}]`] : []), ...others]),
    ];
    if (members.includes('Any')) return 'Any';
    if (members.length === 0) return 'Never';
    return members.length === 1 ? members[0]! : `Union[${members.join(', ')}]`;
  }
}

interface Field {
  key: string;
  text: string;
  doc: Doc | undefined;
}

/** Objects without properties are plain dictionaries. */
function isTypedDict(type: ObjectNode): boolean {
  return type.properties.length > 0 || (type.rest === undefined && type.patterns.length === 0);
}

function classSource(type: ObjectNode, name: string, fields: readonly Field[]): string {
  const doc = docText(type.doc);
  const lines = fields.flatMap(({ key, text, doc: own }) => {
    const about = docText(own);
    return [`    ${key}: ${text}`, ...(about === '' ? [] : [`    ${pythonDocstring(about)}`])];
  });
  const body = [...(doc === '' ? [] : [`    ${pythonDocstring(doc)}`]), ...lines];
  return `class ${name}(TypedDict):\n${body.length === 0 ? '    pass' : body.join('\n')}\n`;
}

function functionSource(type: ObjectNode, name: string, fields: readonly Field[]): string {
  const lines = fields.map(({ key, text, doc }) => {
    const about = docText(doc);
    return `${about === '' ? '' : commentBlock(about, '    ')}    ${pythonString(key)}: ${text},\n`;
  });
  const doc = docText(type.doc);
  return `${doc === '' ? '' : commentBlock(doc, '')}${name} = TypedDict(${pythonString(name)}, {\n${lines.join('')}})\n`;
}

/** `None` for a number that `Literal` does not take. */
function literalSource(value: string | number | boolean): string | undefined {
  if (typeof value === 'string') return pythonString(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return Number.isSafeInteger(value) ? String(value === 0 ? 0 : value) : undefined;
}

function docText(doc: Doc | undefined): string {
  const tags = (doc?.tags ?? [])
    .filter(([name]) => name !== 'integer')
    .map(([name, text]) => (text === '' ? name : `${name}: ${text}`));
  return [doc?.description ?? '', ...tags].filter((line) => line.trim() !== '').join('\n');
}

function commentLines(doc: Doc | undefined): string {
  const text = docText(doc);
  return text === '' ? '' : commentBlock(text, '');
}

function commentBlock(text: string, indent: string): string {
  return text
    .split(/\r\n?|(?!\t)[\p{Cc}\u2028\u2029]/u)
    .map((line) => `${indent}# ${line.replace(/\p{Surrogate}/gu, '\ufffd')}\n`)
    .join('');
}

function quoteForward(text: string): string {
  return text.replaceAll(FORWARD, '"');
}
