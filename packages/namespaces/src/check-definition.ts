// The check of a namespace's definition: a bad one names the rule and the owner.
import { nearestNames } from '@codeseam/nearest-names';
import { NamespaceError } from './errors.ts';
import { refusedGlobalName } from './reserved-names.ts';
import type { NamespaceDefinition } from './types.ts';

const FIELDS = ['id', 'globalName', 'description', 'prompt', 'requiredToolNames', 'createScope', 'config'];

/**
 * Checks a definition and copies it, so that later changes to the object do not reach the registry.
 *
 * @throws NamespaceError `invalid_namespace`
 */
export function checkDefinition(definition: NamespaceDefinition, owner: string): NamespaceDefinition {
  const of = `of plugin ${JSON.stringify(owner)}`;
  const refuse = (problem: string, hint?: string): never => {
    throw new NamespaceError('invalid_namespace', problem, hint);
  };
  if (typeof definition !== 'object' || definition === null) refuse(`a namespace ${of} must be an object`);
  const { id, globalName, description, prompt, requiredToolNames, createScope, config } = definition;
  if (typeof id !== 'string' || id.trim() === '') refuse(`a namespace ${of} needs an id, a non-empty string`);
  const who = `namespace ${JSON.stringify(id)} ${of}`;
  for (const field of Object.keys(definition)) {
    if (FIELDS.includes(field)) continue;
    const [nearest] = nearestNames(field, FIELDS);
    refuse(`${who}: unknown field ${JSON.stringify(field)}${nearest ? `; did you mean ${nearest}?` : ''}`);
  }
  if (typeof globalName !== 'string') refuse(`${who}: globalName must be a string`);
  const reason = refusedGlobalName(globalName);
  if (reason) refuse(`${who}: globalName ${JSON.stringify(globalName)} is ${reason}`, 'choose another global name');
  if (typeof description !== 'string') refuse(`${who}: description must be a string`);
  if (prompt !== undefined && typeof prompt !== 'string' && typeof prompt !== 'function') {
    refuse(`${who}: prompt must be a string or a function of the scope`);
  }
  if (!Array.isArray(requiredToolNames) || requiredToolNames.length === 0) {
    refuse(`${who}: requiredToolNames must list the tools that the namespace calls, at least one`);
  }
  for (const name of requiredToolNames) {
    if (typeof name !== 'string' || name === '') refuse(`${who}: requiredToolNames must hold non-empty strings`);
  }
  if (typeof createScope !== 'function') refuse(`${who}: createScope must be a function`);
  if (config !== undefined && (typeof config !== 'object' || config === null || Array.isArray(config))) {
    refuse(`${who}: config must be an object`);
  }
  return {
    id,
    globalName,
    description,
    ...(prompt === undefined ? {} : { prompt }),
    requiredToolNames: Object.freeze([...new Set(requiredToolNames)]),
    // Bound, so that a definition may be a class instance or use `this`.
    createScope: (scope) => createScope.call(definition, scope),
    config: Object.freeze({ ...config }),
  };
}
