// Stage 3: a type tree as TypeScript source.

import { unionOf, widen } from './combine-types.ts';
import { docComment } from './doc-comment.ts';
import { propertyKey, stringLiteral } from './property-key.ts';
import {
  type Doc,
  type KeyPattern,
  type NamedType,
  NULL,
  type ObjectNode,
  type PropertyNode,
  someType,
  type TypeNode,
} from './type-tree.ts';

export interface TypeScriptLayout {
  layout: 'pretty' | 'compact';
  openType: string | undefined;
}

/** How tightly a place binds: what is looser than it needs parentheses. */
const LOOSE = 0;
const IN_INTERSECTION = 1;
const IN_ARRAY = 2;

/** A type expression; continuation lines are indented from `indent` spaces on. */
export function printType(type: TypeNode, layout: TypeScriptLayout, indent = 0): string {
  return new TypePrinter(layout).print(type, LOOSE, indent);
}

/** `type Name = …;` with its doc comment. */
export function printDeclaration(named: NamedType, layout: TypeScriptLayout, indent = 0): string {
  const printer = new TypePrinter(layout);
  const pad = ' '.repeat(indent);
  const type = named.type ?? { kind: 'unknown' as const };
  const comment = printer.printDoc(type.doc);
  const text = printer.printBare(type, LOOSE, indent);
  return `${comment === '' ? '' : `${pad}${comment}\n`}${pad}type ${named.name} = ${text};\n`;
}

class TypePrinter {
  private readonly layout: TypeScriptLayout;

  constructor(layout: TypeScriptLayout) {
    this.layout = layout;
  }

  /** The comment of a doc. Pretty, each tag has its line; compact, only what a line must start with has one. */
  printDoc(doc: Doc | undefined): string {
    if (doc === undefined) return '';
    const tags = doc.tags.map(([name, text]) => (text === '' ? `@${name}` : `@${name} ${text}`));
    if (this.layout.layout === 'pretty') return docComment(doc.description, ...tags);
    const isDeprecated = tags.includes('@deprecated');
    const inline = tags.filter((tag) => tag !== '@deprecated').join(' ');
    const first = [doc.description, inline].filter(Boolean).join(' ');
    return docComment(first, isDeprecated ? '@deprecated' : undefined);
  }

  print(type: TypeNode, place: number, indent: number): string {
    const comment = this.printDoc(type.doc);
    if (comment === '') return this.printBare(type, place, indent);
    const text = `${comment} ${this.printBare(type, place === LOOSE ? IN_INTERSECTION : place, indent)}`;
    return place === LOOSE ? text : `(${text})`;
  }

  /** The type without its own comment. */
  printBare(type: TypeNode, place: number, indent: number): string {
    switch (type.kind) {
      case 'literal':
        return typeof type.value === 'string' ? stringLiteral(type.value) : String(type.value === 0 ? 0 : type.value);
      case 'array':
        return `${this.print(type.items, IN_ARRAY, indent)}[]`;
      case 'tuple':
        return this.printTuple(type.items, type.rest, indent);
      case 'object':
        return this.printObject(type, indent);
      case 'union':
        return this.join(type.members, ' | ', place > LOOSE, LOOSE + 1, indent);
      case 'intersection':
        return this.join(type.members, ' & ', place > IN_INTERSECTION, IN_INTERSECTION + 1, indent);
      case 'reference':
        return type.target.name;
      case 'integer':
        return 'number';
      default:
        return type.kind;
    }
  }

  private join(
    members: readonly TypeNode[],
    separator: string,
    parenthesised: boolean,
    place: number,
    indent: number,
  ): string {
    const nullLast = [
      ...members.filter((member) => member.kind !== 'null'),
      ...members.filter((member) => member.kind === 'null'),
    ];
    const text = nullLast
      .map((member) => this.print(member, separator === ' | ' && place === 1 ? IN_INTERSECTION : place, indent))
      .join(separator);
    return parenthesised ? `(${text})` : text;
  }

  private printTuple(
    items: readonly { type: TypeNode; optional: boolean }[],
    rest: TypeNode | undefined,
    indent: number,
  ): string {
    const places = items.map(({ type, optional }) =>
      optional ? `${this.print(type, IN_ARRAY, indent)}?` : this.print(type, LOOSE, indent),
    );
    if (rest !== undefined) places.push(`...${this.print(rest, IN_ARRAY, indent)}[]`);
    return `[${places.join(', ')}]`;
  }

  private printObject(type: ObjectNode, indent: number): string {
    const { properties, patterns } = type;
    const rest = indexType(type);
    if (properties.length === 0 && patterns.length === 0) return this.printRecord(rest, indent);
    const isCompact = this.layout.layout === 'compact';
    const inner = isCompact ? indent : indent + 2;
    const members = properties.map((property) => this.printProperty(property, inner));
    for (const pattern of patterns) {
      // Beside an index signature of `unknown`, one for some of the keys would say nothing more.
      if (pattern.type.kind === 'unknown' && rest?.kind === 'unknown') continue;
      members.push(`[key: \`${templateKey(pattern)}\`]: ${this.print(patternType(pattern, properties), LOOSE, inner)}`);
    }
    const isOpen = rest?.kind === 'unknown' && rest.doc === undefined && this.layout.openType !== undefined;
    if (rest !== undefined && !isOpen) members.push(this.documented(rest, '[key: string]: ', inner));
    const pad = ' '.repeat(inner);
    const body = isCompact
      ? `{ ${members.join('; ')} }`
      : `{\n${members.map((member) => `${pad}${member};\n`).join('')}${' '.repeat(indent)}}`;
    return isOpen ? `${this.layout.openType}<${body}>` : body;
  }

  private printProperty({ key, type, optional }: PropertyNode, indent: number): string {
    return this.documented(type, `${propertyKey(key)}${optional ? '?' : ''}: `, indent);
  }

  /** A member of an object type, its comment before its name. */
  private documented(type: TypeNode, name: string, indent: number): string {
    const comment = this.printDoc(type.doc);
    const gap = this.layout.layout === 'compact' ? ' ' : `\n${' '.repeat(indent)}`;
    return `${comment === '' ? '' : `${comment}${gap}`}${name}${this.printBare(type, LOOSE, indent)}`;
  }

  private printRecord(rest: TypeNode | undefined, indent: number): string {
    if (rest === undefined) return 'Record<string, never>';
    if (rest.kind === 'unknown' && rest.doc === undefined && this.layout.openType !== undefined)
      return this.layout.openType;
    const text = this.print(rest, LOOSE, indent);
    // `type A = Record<string, A>` is an error where the spelt-out form is not.
    return someType(rest, (inner) => inner.kind === 'reference')
      ? `{ [key: string]: ${text} }`
      : `Record<string, ${text}>`;
  }
}

/** The type of an index signature beside properties: TypeScript wants theirs to fit it. */
function indexType(type: ObjectNode): TypeNode | undefined {
  const { properties, patterns, rest } = type;
  if (rest === undefined || rest.kind === 'unknown' || properties.length + patterns.length === 0) return rest;
  const beside = [...properties.map((property) => property.type), ...patterns.map((pattern) => pattern.type)].map(
    widen,
  );
  const isOptional = properties.some((property) => property.optional);
  const all = unionOf([rest, ...beside]);
  return isOptional && all.kind !== 'unknown' ? unionOf([all, UNDEFINED]) : all;
}

function patternType(pattern: KeyPattern, properties: readonly PropertyNode[]): TypeNode {
  const matching = properties.some(
    ({ key, optional }) => optional && key.startsWith(pattern.prefix) && key.endsWith(pattern.suffix),
  );
  return matching && pattern.type.kind !== 'unknown' ? unionOf([pattern.type, UNDEFINED]) : pattern.type;
}

/** Only index signatures need it, so it is no kind of type node. */
const UNDEFINED = { ...NULL, kind: 'undefined' } as unknown as TypeNode;

function templateKey({ prefix, suffix }: KeyPattern): string {
  return `${templateText(prefix)}\${string}${templateText(suffix)}`;
}

/** Text between the backticks of a template literal type. */
function templateText(text: string): string {
  return stringLiteral(text)
    .slice(1, -1)
    .replace(/\\'/g, "'")
    .replace(/`|\$(?=\{)/g, '\\$&');
}
