// Finds what a program that returns nothing was meant to give: a lone function's result, an object, its last expression.
import type { Expression, ModuleDeclaration, Program, Statement } from 'acorn';
import { hasReturn } from './has-return.ts';
import { type ParsedBody, parseBody } from './parse-body.ts';

/** What is made of a part of the program. */
export type ResultShape =
  | { change: 'function' | 'default-export'; start: number; end: number; call: boolean; exportLength: number }
  | { change: 'object' | 'last-expression'; start: number; end: number };

/** Methods whose result is all that a call of them is for. */
const PURE_METHOD =
  /^(?:at|concat|entries|every|filter|find|findIndex|findLast|flat|flatMap|includes|indexOf|join|keys|lastIndexOf|map|match|padEnd|padStart|reduce|reduceRight|repeat|replace|replaceAll|slice|some|split|startsWith|endsWith|stringify|toFixed|toISOString|toJSON|toLowerCase|toReversed|toSorted|toString|toUpperCase|trim|values)$/;

/** The meant result of a JavaScript program that was parsed; null if it returns by itself or there is none. */
export function findResult(program: string, parsed: ParsedBody): ResultShape | null {
  if (!parsed.ok) return findObject(program, null);
  const object = findObject(program, parsed.tree);
  if (object) return object;
  const statements = parsed.tree.body.filter((statement) => statement.type !== 'EmptyStatement');
  if (statements.some((statement) => hasReturn(statement))) return null;
  const last = statements.at(-1);
  if (last === undefined) return null;
  return findExport(program, statements) ?? findLast(program, statements, last);
}

function findExport(program: string, statements: (Statement | ModuleDeclaration)[]): ResultShape | null {
  const index = statements.findIndex((statement) => statement.type === 'ExportDefaultDeclaration');
  const statement = statements[index];
  if (statement?.type !== 'ExportDefaultDeclaration') return null;
  // What follows would not run after a return; functions are there before.
  if (statements.slice(index + 1).some((next) => next.type !== 'FunctionDeclaration')) return null;
  const { declaration } = statement;
  if (declaration.type === 'ClassDeclaration') return null;
  const end = endOf(program, statement);
  const exportLength = program.slice(statement.start, declaration.start).match(/^export\s+default/)![0].length;
  return { change: 'default-export', start: statement.start, end, call: isFunction(declaration.type), exportLength };
}

function findLast(
  program: string,
  statements: (Statement | ModuleDeclaration)[],
  last: Statement | ModuleDeclaration,
): ResultShape | null {
  if (statements.length === 1 && last.type === 'FunctionDeclaration') {
    return { change: 'function', start: last.start, end: last.end, call: true, exportLength: 0 };
  }
  if (last.type !== 'ExpressionStatement') return null;
  const place = { start: last.start, end: endOf(program, last) };
  if (statements.length === 1 && isFunction(last.expression.type)) {
    return { change: 'function', ...place, call: true, exportLength: 0 };
  }
  return isMeantAsResult(last.expression, statements) ? { change: 'last-expression', ...place } : null;
}

function isMeantAsResult(expression: Expression, statements: (Statement | ModuleDeclaration)[]): boolean {
  switch (expression.type) {
    case 'Identifier':
    case 'TemplateLiteral':
    case 'ArrayExpression':
    case 'ObjectExpression':
    case 'MemberExpression':
    case 'BinaryExpression':
      return true;
    case 'Literal':
      return expression.value !== 'use strict';
    case 'LogicalExpression':
      return isMeantAsResult(expression.right, statements);
    case 'ConditionalExpression':
      return isMeantAsResult(expression.consequent, statements) && isMeantAsResult(expression.alternate, statements);
    case 'ParenthesizedExpression':
      return isMeantAsResult(expression.expression, statements);
    case 'AwaitExpression':
      return runsOwnFunction(expression.argument, statements);
    case 'CallExpression': {
      const { callee } = expression;
      if (runsOwnFunction(expression, statements)) return true;
      return (
        callee.type === 'MemberExpression' &&
        callee.property.type === 'Identifier' &&
        PURE_METHOD.test(callee.property.name)
      );
    }
    default:
      return false;
  }
}

/** `main()`, `(async () => { … })()`, and either with `.catch(…)` behind it. */
function runsOwnFunction(expression: Expression, statements: (Statement | ModuleDeclaration)[]): boolean {
  if (expression.type !== 'CallExpression') return false;
  const { callee } = expression;
  if (isFunction(callee.type)) return true;
  if (callee.type === 'Identifier') return statements.some((statement) => declares(statement, callee.name));
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier' || callee.object.type === 'Super')
    return false;
  return /^(?:then|catch|finally)$/.test(callee.property.name) && runsOwnFunction(callee.object, statements);
}

function declares(statement: Statement | ModuleDeclaration, name: string): boolean {
  if (statement.type === 'FunctionDeclaration') return statement.id.name === name;
  if (statement.type !== 'VariableDeclaration') return false;
  return statement.declarations.some(
    ({ id, init }) => id.type === 'Identifier' && id.name === name && !!init && isFunction(init.type),
  );
}

function isFunction(type: string): boolean {
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression' || type === 'FunctionDeclaration';
}

/** A program that is one object literal, which a parser takes for a block. */
function findObject(program: string, tree: Program | null): ResultShape | null {
  const match = /^\s*(\{[\s\S]*\})\s*;?\s*$/.exec(program);
  if (!match || (tree && !isLabelBlock(tree))) return null;
  const parsed = parseBody(`(${match[1]})`);
  const statement = parsed.ok && parsed.tree.body.length === 1 ? parsed.tree.body[0]! : undefined;
  if (statement?.type !== 'ExpressionStatement' || statement.expression.type !== 'ObjectExpression') return null;
  const start = program.indexOf('{');
  return { change: 'object', start, end: start + match[1]!.length };
}

/** `{ a: 1 }` and `{ a }` read as blocks, with nothing in them that does anything. */
function isLabelBlock({ body }: Program): boolean {
  const blocks = body.filter((statement) => statement.type !== 'EmptyStatement');
  const block = blocks[0];
  if (blocks.length !== 1 || block?.type !== 'BlockStatement') return false;
  return block.body.every((statement) => {
    const inner = statement.type === 'LabeledStatement' ? statement.body : statement;
    return inner.type === 'ExpressionStatement';
  });
}

function endOf(program: string, { end }: { end: number }): number {
  return program[end - 1] === ';' ? end - 1 : end;
}
