// The globals of a program's namespaces, and `namespaces` with all of them.
import {
  type CodeBinding,
  type CodeBindingFunction,
  type CodeBindingNamespace,
  type CodeCallContext,
  CodeCallError,
} from '@codeseam/code-runtime';
import type { JsonValue } from '@codeseam/lossless-json';
import { NamespaceError, type NamespaceNode, type OpenNamespace } from '@codeseam/namespaces';
import { callError, TOOL_CALL_ERROR } from './call-errors.ts';
import { programOf } from './guest-program.ts';

/** Made per run, since `createScope` runs once per program. */
export function namespaceBindings(namespaces: readonly OpenNamespace[]): CodeBindingNamespace[] {
  const members = namespaces.map((it) => [it.globalName, bindNode(it.root, it)] as const);
  return [
    ...members.map(([global, functions]) => ({
      global,
      functions: functions as Record<string, CodeBinding>,
      errorClass: TOOL_CALL_ERROR,
    })),
    { global: 'namespaces', functions: Object.fromEntries(members), errorClass: TOOL_CALL_ERROR },
  ];
}

function bindNode(node: NamespaceNode, namespace: OpenNamespace): CodeBinding {
  switch (node.kind) {
    case 'data':
      return node.value;
    case 'array':
      return node.items.map((item) => bindNode(item, namespace));
    case 'object':
      return Object.fromEntries(node.members.map(([name, member]) => [name, bindNode(member, namespace)]));
    case 'call':
      return callFunction(node.path, namespace);
  }
}

function callFunction(path: readonly string[], namespace: OpenNamespace): CodeBindingFunction {
  const shown = [namespace.globalName, ...path].join('.');
  return async function (this: CodeCallContext, ...args: JsonValue[]) {
    const { tool, arguments: input } = targetOf(namespace, path, args, shown);
    const program = programOf(this);
    program.refuseUnlessReadOnly(namespace.tools);
    const outcome = await program.call(this, tool, input);
    if (outcome.isError) throw callError(outcome, tool, shown);
    return outcome.value ?? null;
  };
}

function targetOf(namespace: OpenNamespace, path: readonly string[], args: JsonValue[], shown: string) {
  try {
    return namespace.target(path, args);
  } catch (error) {
    if (!(error instanceof NamespaceError)) throw error;
    throw new CodeCallError(error.message, {
      code: error.code === 'invalid_arguments' ? 'INVALID_ARGS' : 'DENIED',
      member: shown,
    });
  }
}
