// Imports a TypeScript program as one string of bundled JavaScript: `import code from './worker/main.ts?bundle=worker'`.
// One esbuild plugin for tsup and one Vite plugin for vitest, so that sources and builds never disagree.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { type BuildOptions, build, type Plugin as EsbuildPlugin } from 'esbuild';

const QUERY = /\?bundle=(\w+)$/;

/** What a bundle is for: `guest` is an expression that gives the entry's exports, `worker` a CommonJS program for a Node thread. */
const TARGETS: Record<string, BuildOptions> = {
  value: { platform: 'node', format: 'esm', target: 'node20' },
  guest: {
    platform: 'neutral',
    format: 'iife',
    target: 'es2022',
    globalName: 'bundled',
    banner: { js: '(() => {' },
    footer: { js: 'return bundled; })()' },
    mainFields: ['module', 'main'],
  },
  worker: {
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // The program runs from a string: what it loads at run time is found from where its host lies.
    define: { 'import.meta.url': 'hostUrl' },
    banner: { js: 'const { hostUrl } = require("node:worker_threads").workerData;' },
  },
};

/**
 * Bundles the program at `path` as its target wants it; gives its text and the files it was made of. Of kind `bytes` any
 * file becomes text: deflated, in base64. Of kind `value` the program is run here and now: its default export is the text.
 */
async function bundleText(path: string, kind: string): Promise<{ text: string; inputs: string[] }> {
  if (kind === 'bytes')
    return { text: deflateRawSync(readFileSync(path), { level: 9 }).toString('base64'), inputs: [path] };
  const target = TARGETS[kind];
  if (!target) throw new Error(`unknown bundle target "${kind}"; known: ${Object.keys(TARGETS).join(', ')}`);
  const result = await build({
    ...target,
    entryPoints: [path],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    ...(kind === 'value' ? { define: { 'import.meta.url': JSON.stringify(pathToFileURL(path).href) } } : {}),
    conditions: ['codeseam-source'],
    logLevel: 'silent',
    plugins: [bundleTextForEsbuild()],
    absWorkingDir: dirname(path),
  });
  const inputs = Object.keys(result.metafile.inputs).map((input) => resolve(dirname(path), input));
  const { text } = result.outputFiles[0]!;
  return { text: kind === 'value' ? await runForValue(text) : text, inputs };
}

/** The default export of a bundled module, which must be a string. */
async function runForValue(code: string): Promise<string> {
  const url = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`;
  const { default: value } = (await import(/* @vite-ignore */ url)) as { default: unknown };
  if (typeof value !== 'string') throw new Error('a program imported for its value must export a string');
  return value;
}

/** The file that an import means, without its query; a package's file is found from where the import stands. */
function fileOf(specifier: string, directory: string): string {
  const path = specifier.replace(QUERY, '');
  return /^[./]/.test(path) ? resolve(directory, path) : createRequire(resolve(directory, 'x.js')).resolve(path);
}

/** For `tsup` (`esbuildPlugins`). */
export function bundleTextForEsbuild(): EsbuildPlugin {
  return {
    name: 'bundle-text',
    setup(plugin) {
      plugin.onResolve({ filter: QUERY }, ({ path, resolveDir }) => ({
        path: fileOf(path, resolveDir),
        namespace: 'bundle-text',
        pluginData: QUERY.exec(path)?.[1],
      }));
      plugin.onLoad({ filter: /.*/, namespace: 'bundle-text' }, async ({ path, pluginData }) => {
        const { text, inputs } = await bundleText(path, pluginData as string);
        return { contents: text, loader: 'text', watchFiles: inputs };
      });
    },
  };
}

/** What a bundled program is called in Vite: a name of no file, so that nothing takes it for one that Node could load itself. */
const VIRTUAL = '\0bundle-text:';

/** For `vitest` (`plugins`); the shape of a Vite plugin, without its types. */
export function bundleTextForVite() {
  return {
    name: 'bundle-text',
    enforce: 'pre' as const,
    resolveId(source: string, importer: string | undefined) {
      const kind = QUERY.exec(source)?.[1];
      if (!kind || !importer) return undefined;
      return `${VIRTUAL}${kind}:${Buffer.from(fileOf(source, dirname(importer))).toString('base64url')}`;
    },
    async load(id: string) {
      if (!id.startsWith(VIRTUAL)) return undefined;
      const [kind, path] = id.slice(VIRTUAL.length).split(':') as [string, string];
      const { text } = await bundleText(Buffer.from(path, 'base64url').toString(), kind);
      return `export default ${JSON.stringify(text)};`;
    },
  };
}
