// The check of a request, done by every provider before anything else: what is wrong with it is misuse, and thrown.
import { type BindingTable, bindingTable } from './binding-table.ts';
import { CodeRuntimeError } from './errors.ts';
import { type GlobalText, globalText } from './global-text.ts';
import { refusedErrorPropertyReason, refusedNameReason } from './portable-names.ts';
import { type LimitTable, type ResolvedLimits, resolveLimits } from './resolve-limits.ts';
import type {
  CodeBindingNamespace,
  CodeLanguage,
  CodeOutputItem,
  CodePrelude,
  CodeRunRequest,
  ThawOptions,
} from './types.ts';

/** What a provider says of itself, for the check. */
export interface RequestRules<Table extends LimitTable> {
  readonly languages: readonly CodeLanguage[];
  readonly limits: Table;
}

/** A namespace, checked. */
export interface CheckedNamespace {
  readonly global: string;
  readonly errorClass?: { readonly name: string; readonly memberNameProperty: string };
  readonly table: BindingTable;
}

/** Everything of a request but its program. */
export interface CheckedSurroundings<Table extends LimitTable> {
  readonly namespaces: readonly CheckedNamespace[];
  readonly globals: ReadonlyMap<string, GlobalText>;
  readonly prelude?: CodePrelude;
  readonly limits: ResolvedLimits<Table>;
  /** Whether the request itself set `maxSnapshotBytes`. */
  readonly asksSnapshotLimit: boolean;
  readonly signal?: AbortSignal;
  readonly onOutput?: (item: CodeOutputItem) => void;
  readonly context?: unknown;
}

/** A request, checked and copied: later changes to the request do not reach the run. */
export interface CheckedRequest<Table extends LimitTable> extends CheckedSurroundings<Table> {
  readonly program: string;
  /** `undefined` where the request has no label. */
  readonly language: CodeLanguage | undefined;
}

/**
 * Checks a request against the contract of the seam and the provider's rules.
 *
 * @throws CodeRuntimeError for misuse: a bad or duplicate namespace, an unknown language, a limit out of range.
 */
export function checkRunRequest<const Table extends LimitTable>(
  request: CodeRunRequest,
  rules: RequestRules<Table>,
): CheckedRequest<Table> {
  if (typeof request !== 'object' || request === null) throw invalid('a request must be an object');
  if (typeof request.program !== 'string') throw invalid('request.program must be a string');
  const language: unknown = request.language;
  if (language !== undefined && !rules.languages.includes(language as CodeLanguage)) {
    throw new CodeRuntimeError(
      'unsupported-language',
      `this runtime does not run ${JSON.stringify(language) ?? typeof language}; it runs ${rules.languages.join(', ')}`,
    );
  }
  return {
    program: request.program,
    language: language as CodeLanguage | undefined,
    ...checkSurroundings(request, rules),
  };
}

/** Checks what a request and a thaw have in common. */
export function checkSurroundings<const Table extends LimitTable>(
  request: Omit<CodeRunRequest, 'program' | 'language'> | Omit<ThawOptions, 'settlements'>,
  rules: Pick<RequestRules<Table>, 'limits'>,
): CheckedSurroundings<Table> {
  const names = new NameRegister();
  const namespaces = checkNamespaces(request.bindings, names);
  const globals = checkGlobals(request.globals, names);
  const prelude = checkPrelude(request.prelude);
  const { signal, onOutput } = request;
  if (signal !== undefined && !isAbortSignal(signal)) throw invalid('request.signal must be an AbortSignal');
  if (onOutput !== undefined && typeof onOutput !== 'function') throw invalid('request.onOutput must be a function');
  return {
    namespaces,
    globals,
    ...(prelude ? { prelude } : {}),
    limits: resolveLimits(request.limits, rules.limits),
    asksSnapshotLimit: request.limits?.maxSnapshotBytes !== undefined,
    ...(signal ? { signal } : {}),
    ...(onOutput ? { onOutput } : {}),
    ...(request.context === undefined ? {} : { context: request.context }),
  };
}

/** The global names of one request, each with what took it. */
class NameRegister {
  readonly #taken = new Map<string, string>();

  take(name: unknown, what: string): string {
    if (typeof name !== 'string') throw new CodeRuntimeError('invalid-binding', `${what} must be a string`);
    const reason = refusedNameReason(name);
    if (reason)
      throw new CodeRuntimeError(
        'invalid-binding',
        `${what} ${JSON.stringify(name)} is ${reason}`,
        'choose another name',
      );
    const holder = this.#taken.get(name);
    if (holder !== undefined) {
      throw new CodeRuntimeError('invalid-binding', `${what} ${JSON.stringify(name)} is already the name of ${holder}`);
    }
    this.#taken.set(name, what);
    return name;
  }
}

function checkNamespaces(bindings: unknown, names: NameRegister): CheckedNamespace[] {
  if (!Array.isArray(bindings)) throw invalid('request.bindings must be an array of namespaces');
  const errorClasses = new Map<string, string>();
  return bindings.map((namespace: unknown, index) => {
    if (typeof namespace !== 'object' || namespace === null)
      throw invalid(`request.bindings[${index}] must be an object`);
    const { global, functions, errorClass } = namespace as CodeBindingNamespace;
    names.take(global, `request.bindings[${index}].global`);
    const table = bindingTable({ global, functions });
    if (errorClass === undefined) return { global, table };
    return { global, table, errorClass: checkErrorClass(errorClass, index, names, errorClasses) };
  });
}

/** Namespaces may share an error class where both of its names agree. */
function checkErrorClass(value: unknown, index: number, names: NameRegister, known: Map<string, string>) {
  const where = `request.bindings[${index}].errorClass`;
  if (typeof value !== 'object' || value === null) throw invalid(`${where} must be { name, memberNameProperty }`);
  const { name, memberNameProperty } = value as Record<string, unknown>;
  if (typeof memberNameProperty !== 'string') throw invalid(`${where}.memberNameProperty must be a string`);
  const reason = refusedErrorPropertyReason(memberNameProperty);
  if (reason) throw invalid(`${where}.memberNameProperty ${JSON.stringify(memberNameProperty)} is ${reason}`);
  if (typeof name !== 'string' || known.get(name) !== memberNameProperty) {
    names.take(name, `${where}.name`);
    known.set(name as string, memberNameProperty);
  }
  return { name: name as string, memberNameProperty };
}

function checkGlobals(globals: unknown, names: NameRegister): Map<string, GlobalText> {
  const texts = new Map<string, GlobalText>();
  if (globals === undefined) return texts;
  if (typeof globals !== 'object' || globals === null) throw invalid('request.globals must be an object');
  for (const [name, value] of Object.entries(globals)) {
    if (value === undefined) continue;
    names.take(name, 'request.globals name');
    texts.set(name, globalText(name, value));
  }
  return texts;
}

function checkPrelude(prelude: unknown): CodePrelude | undefined {
  if (prelude === undefined) return undefined;
  const { id, source } = (prelude ?? {}) as Record<string, unknown>;
  if (typeof id !== 'string' || id === '' || typeof source !== 'string') {
    throw invalid('request.prelude must be { id, source }, with an id that changes whenever the source does');
  }
  return { id, source };
}

/** Structural, since a signal may come from another realm. */
function isAbortSignal(value: object): boolean {
  const { aborted, addEventListener, removeEventListener } = value as Partial<AbortSignal>;
  return (
    typeof aborted === 'boolean' && typeof addEventListener === 'function' && typeof removeEventListener === 'function'
  );
}

function invalid(message: string): CodeRuntimeError {
  return new CodeRuntimeError('invalid-request', message);
}
