// A row's config against its plugin's schema, before the plugin is mounted.
import type { PluginLike } from './resolve-plugin.ts';

export interface ConfigIssue {
  message: string;
  /** From the root of the plugin's config. */
  path: readonly PropertyKey[];
}

/** Everything that the plugin's `Config` (a Standard Schema) has against this config; empty if it has none. */
export function findConfigIssues(plugin: PluginLike, config: unknown): ConfigIssue[] {
  const validate = standardValidate(plugin.Config);
  if (!validate) return [];
  const result = validate(config) as { issues?: readonly StandardIssue[] } | Promise<unknown>;
  if (result instanceof Promise)
    return [{ message: 'its schema validates asynchronously, which cordis refuses', path: [] }];
  return (result.issues ?? []).map((issue) => ({
    message: issue.message,
    path: (issue.path ?? []).map((segment) => (typeof segment === 'object' ? segment.key : segment)),
  }));
}

interface StandardIssue {
  message: string;
  path?: readonly (PropertyKey | { key: PropertyKey })[];
}

function standardValidate(schema: unknown): ((value: unknown) => unknown) | undefined {
  if (schema === null || (typeof schema !== 'object' && typeof schema !== 'function')) return undefined;
  const standard = (schema as { '~standard'?: { validate?: (value: unknown) => unknown } })['~standard'];
  return typeof standard?.validate === 'function' ? (value) => standard.validate!(value) : undefined;
}

/** `servers.files.args[0]` */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? String(key) : `${text}.${String(key)}`;
  }, '');
}
