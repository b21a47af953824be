// Finds on the syntax tree what would load a module: import, import(), import.meta, and require as a free function.
import type { Node, Program } from 'acorn';

/** A place in a program that reaches for a module, or exports something. */
export interface ModuleUse {
  what: 'import' | 'import()' | 'import.meta' | 'require' | 'export';
  start: number;
  /** The module's name, where it is written out. */
  module?: string;
}

/** A function of the program (or its top level), and whether something in it is called `require`. */
interface FunctionScope {
  readonly outer: FunctionScope | null;
  declares: boolean;
}

type AnyNode = Node & Record<string, unknown>;

interface Visit {
  readonly node: AnyNode;
  readonly scope: FunctionScope;
  /** The node is a pattern that declares names. */
  readonly declares: boolean;
}

/** The first use of a module in the program, or null. A `require` that the program declares itself is not one. */
export function findModuleUse(tree: Program, source: string): ModuleUse | null {
  // A name may also be written with escapes.
  if (!/import|require|export|\\u/.test(source)) return null;
  const top: FunctionScope = { outer: null, declares: false };
  const found: ModuleUse[] = [];
  const calls: { use: ModuleUse; scope: FunctionScope }[] = [];
  const stack: Visit[] = [{ node: tree as unknown as AnyNode, scope: top, declares: false }];
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    const { node, scope } = visit;
    const use = moduleUse(node);
    if (use?.what === 'require') calls.push({ use, scope });
    else if (use) found.push(use);
    if (node.type === 'Identifier' && visit.declares && node.name === 'require') scope.declares = true;
    pushChildren(stack, visit);
  }
  for (const { use, scope } of calls) if (!isDeclared(scope)) found.push(use);
  let first: ModuleUse | null = null;
  for (const use of found) if (first === null || use.start < first.start) first = use;
  return first;
}

function isDeclared(scope: FunctionScope): boolean {
  for (let at: FunctionScope | null = scope; at !== null; at = at.outer) if (at.declares) return true;
  return false;
}

function moduleUse(node: AnyNode): ModuleUse | null {
  const { start } = node;
  switch (node.type) {
    case 'ImportDeclaration':
      return { what: 'import', start, ...moduleName(node.source) };
    case 'ImportExpression':
      return { what: 'import()', start, ...moduleName(node.source) };
    case 'MetaProperty':
      return (node.meta as { name: string }).name === 'import' ? { what: 'import.meta', start } : null;
    case 'ExportAllDeclaration':
      return { what: 'import', start, ...moduleName(node.source) };
    case 'ExportNamedDeclaration':
      return node.source ? { what: 'import', start, ...moduleName(node.source) } : { what: 'export', start };
    case 'ExportDefaultDeclaration':
      return { what: 'export', start };
    case 'CallExpression':
    case 'NewExpression':
      if (!isRequire(node.callee)) return null;
      return { what: 'require', start, ...moduleName((node.arguments as unknown[])[0]) };
    case 'MemberExpression':
      return isRequire(node.object) ? { what: 'require', start } : null;
    default:
      return null;
  }
}

function isRequire(node: unknown): boolean {
  const { type, name } = node as { type: string; name?: string };
  return type === 'Identifier' && name === 'require';
}

function moduleName(node: unknown): { module?: string } {
  const value = (node as { value?: unknown } | undefined)?.value;
  return typeof value === 'string' ? { module: value } : {};
}

function pushChildren(stack: Visit[], visit: Visit): void {
  const { node } = visit;
  const isFunction =
    node.type === 'FunctionDeclaration' ||
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression';
  const inner: FunctionScope = isFunction ? { outer: visit.scope, declares: false } : visit.scope;
  for (const key of Object.keys(node)) {
    const child = node[key];
    if (typeof child !== 'object' || child === null) continue;
    const declares = declaresNames(visit, key);
    // A function declaration's name belongs to the scope around it.
    const scope = node.type === 'FunctionDeclaration' && key === 'id' ? visit.scope : inner;
    if (Array.isArray(child)) {
      for (const item of child) if (isNode(item)) stack.push({ node: item, scope, declares });
    } else if (isNode(child)) {
      stack.push({ node: child, scope, declares });
    }
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof (value as { type?: unknown } | null)?.type === 'string';
}

/** Whether the child at this key is a pattern, or part of one, that declares names. */
function declaresNames({ node, declares }: Visit, key: string): boolean {
  switch (node.type) {
    case 'VariableDeclarator':
    case 'ClassDeclaration':
    case 'ClassExpression':
      return key === 'id';
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return key === 'id' || key === 'params';
    case 'CatchClause':
      return key === 'param';
    case 'ObjectPattern':
    case 'ArrayPattern':
    case 'RestElement':
      return declares;
    case 'Property':
      return declares && key === 'value';
    case 'AssignmentPattern':
      return declares && key === 'left';
    default:
      return false;
  }
}
