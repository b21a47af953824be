// The one build recipe of every package: ESM for Node 20, declarations, source maps, programs as text.
import { defineConfig, type Options } from 'tsup';
import { bundleTextForEsbuild } from './bundle-text.ts';

export function packageBuild(entry: string[], extra: Options = {}): ReturnType<typeof defineConfig> {
  return defineConfig({
    entry,
    format: 'esm',
    target: 'node20',
    platform: 'node',
    // The build of the whole workspace makes all declarations in one pass (build-declarations.mjs).
    dts: process.env['CODESEAM_DECLARATIONS'] !== 'later',
    sourcemap: true,
    clean: true,
    silent: true,
    esbuildPlugins: [bundleTextForEsbuild()],
    ...extra,
  });
}
