// Stage 3: a type tree as one short line.

import type { TypeTree } from './build-tree.ts';
import { cutText } from './doc-comment.ts';
import { propertyKey, stringLiteral } from './property-key.ts';
import type { NamedType, TypeNode } from './type-tree.ts';
import type { SchemaHint } from './types.ts';

export interface HintLimits {
  maxChars: number;
  maxDepth: number;
  maxProperties: number;
}

const MAX_UNION = 12;
/** Types inside types of any kind, references included. */
const MAX_NESTING = 40;
const MAX_LITERAL_CHARS = 40;

export function printHint(tree: TypeTree, limits: HintLimits): SchemaHint {
  const printer = new HintPrinter(limits);
  const text = printer.print(tree.root, 0, false);
  const cut = cutText(text, limits.maxChars);
  return { text: cut, complete: tree.complete && printer.complete && cut === text };
}

class HintPrinter {
  complete = true;
  private readonly limits: HintLimits;
  private readonly open = new Set<NamedType>();
  private written = 0;
  private nesting = 0;

  constructor(limits: HintLimits) {
    this.limits = limits;
  }

  print(type: TypeNode, depth: number, tight: boolean): string {
    // What comes after the longest text is cut anyway, so nothing more needs to be spelt out.
    if (this.written > this.limits.maxChars || this.nesting > MAX_NESTING) return this.ellipsis();
    this.nesting++;
    const text = this.printType(type, depth, tight);
    this.nesting--;
    if (type.kind !== 'object' && type.kind !== 'union') this.written += text.length;
    return text;
  }

  private ellipsis(): string {
    this.complete = false;
    return '…';
  }

  private printType(type: TypeNode, depth: number, tight: boolean): string {
    switch (type.kind) {
      case 'literal':
        return typeof type.value === 'string' ? this.printString(type.value) : String(type.value);
      case 'array':
        return `${this.print(type.items, depth, true)}[]`;
      case 'tuple': {
        const places = type.items.map((item) => this.print(item.type, depth + 1, true) + (item.optional ? '?' : ''));
        if (type.rest !== undefined) places.push(`...${this.print(type.rest, depth + 1, true)}[]`);
        return `[${places.join(', ')}]`;
      }
      case 'object':
        return this.printObject(type, depth);
      case 'union':
        return this.join(type.members, ' | ', depth, tight);
      case 'intersection':
        return this.join(type.members, ' & ', depth, tight);
      case 'reference':
        return this.printReference(type.target, depth, tight);
      case 'unknown':
        this.complete = false;
        return 'unknown';
      case 'integer':
        return 'number';
      default:
        return type.kind;
    }
  }

  private printString(value: string): string {
    const cut = cutText(value, MAX_LITERAL_CHARS);
    if (cut !== value) this.complete = false;
    return stringLiteral(cut);
  }

  private join(members: readonly TypeNode[], separator: string, depth: number, tight: boolean): string {
    const parts = members.slice(0, MAX_UNION).map((member) => this.print(member, depth, true));
    if (members.length > MAX_UNION) parts.push(this.ellipsis());
    return tight ? `(${parts.join(separator)})` : parts.join(separator);
  }

  private printReference(target: NamedType, depth: number, tight: boolean): string {
    if (target.type === undefined || this.open.has(target)) return this.ellipsis();
    this.open.add(target);
    const text = this.print(target.type, depth, tight);
    this.open.delete(target);
    return text;
  }

  private printObject(type: Extract<TypeNode, { kind: 'object' }>, depth: number): string {
    const { properties, patterns, rest } = type;
    const isOpen = rest?.kind === 'unknown' || patterns.length > 0;
    if (isOpen) this.complete = false;
    if (properties.length === 0) {
      if (rest === undefined) return '{}';
      return isOpen ? 'object' : `Record<string, ${this.print(rest, depth + 1, false)}>`;
    }
    if (depth >= this.limits.maxDepth) {
      this.complete = false;
      return '{ … }';
    }
    const parts: string[] = [];
    for (const property of properties.slice(0, this.limits.maxProperties)) {
      if (this.written > this.limits.maxChars) break;
      const key = `${propertyKey(property.key)}${property.optional ? '?' : ''}: `;
      this.written += key.length + 2;
      parts.push(key + this.print(property.type, depth + 1, false));
    }
    if (parts.length < properties.length) parts.push(this.ellipsis());
    else if (rest !== undefined && !isOpen) parts.push(`[key: string]: ${this.print(rest, depth + 1, false)}`);
    return `{ ${parts.join('; ')} }`;
  }
}
