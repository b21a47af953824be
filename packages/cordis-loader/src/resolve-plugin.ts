// From the name in a row to a plugin: where its module lies, and which export is meant.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { moduleResolve } from 'import-meta-resolve';
import { LoaderError, messageOf } from './errors.ts';

/** A plugin as cordis takes it: a function, a class, or an object with `apply`. */
export type PluginLike = { name?: string; Config?: unknown; inject?: unknown };

export interface ResolvedPlugin {
  /** The module's URL. */
  url: string;
  plugin: PluginLike;
}

const CONDITIONS = new Set(['node', 'import', ...ownConditions()]);

/** The conditions this process resolves with: those given to Node, and the sources' own when this module is one. */
function ownConditions(): string[] {
  const flags = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/)];
  const given = flags.flatMap((flag, index) => {
    if (flag === '-C' || flag === '--conditions') return flags[index + 1] ?? [];
    return flag.startsWith('--conditions=') ? flag.slice('--conditions='.length) : [];
  });
  return import.meta.url.endsWith('.ts') ? [...given, 'codeseam-source'] : given;
}

/**
 * The URL of the module that a row's name means: a path relative to the first of `parents`, else a package
 * resolved from each of them in turn; of a bare package its `cordis` entry where it has one.
 * @param parents URLs of files or folders (with a trailing slash)
 * @returns undefined if no parent knows it. Throws `LoaderError` for a package that is there but has no such entry.
 */
export function resolvePluginUrl(name: string, parents: readonly string[]): string | undefined {
  if (/^\.{0,2}\//.test(name) || /^[A-Za-z]:[\\/]/.test(name) || name.startsWith('file:')) {
    const url = name.startsWith('file:') ? name : new URL(toUrlPath(name), parents[0]).href;
    return tryResolve(url, parents[0]!);
  }
  for (const parent of parents) {
    const url = (isBarePackage(name) && tryResolve(`${name}/cordis`, parent)) || tryResolve(name, parent);
    if (url) return url;
  }
  return undefined;
}

const isBarePackage = (name: string) => /^(?:@[^/]+\/)?[^/]+$/.test(name);

function toUrlPath(path: string): string {
  return /^(?:\/|[A-Za-z]:)/.test(path)
    ? pathToFileURL(path).href
    : encodeURI(path).replace(/[?#]/g, encodeURIComponent);
}

const NOT_THERE = ['ERR_MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED', 'ERR_UNSUPPORTED_DIR_IMPORT'];

function tryResolve(specifier: string, parent: string): string | undefined {
  try {
    return moduleResolve(specifier, new URL(parent), CONDITIONS).href;
  } catch (error) {
    if (NOT_THERE.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw new LoaderError('PLUGIN_NOT_FOUND', `${specifier} is not a name of a package or file: ${messageOf(error)}`);
  }
}

/** Imports the module and takes its plugin. Throws `LoaderError` for a module that fails or has no plugin. */
export async function importPlugin(url: string, name: string): Promise<ResolvedPlugin> {
  let module: { default?: unknown };
  try {
    module = await import(/* @vite-ignore */ url);
  } catch (error) {
    throw new LoaderError('PLUGIN_FAILED', `${name} could not be loaded: ${messageOf(error)}`, { cause: error });
  }
  const candidates = [module.default, (module.default as { default?: unknown } | null | undefined)?.default, module];
  const plugin = candidates.find(isPlugin);
  if (plugin) return { url, plugin };
  const where = url.startsWith('file:') ? fileURLToPath(url) : url;
  throw new LoaderError(
    'INVALID_PLUGIN',
    `${name} has no plugin: neither its default export nor its module has an apply`,
    {
      hint: `a plugin is a function, a class, or an object with apply(ctx, config); looked in ${where}`,
    },
  );
}

function isPlugin(value: unknown): value is PluginLike {
  if (typeof value === 'function') return true;
  return typeof value === 'object' && value !== null && typeof (value as { apply?: unknown }).apply === 'function';
}
