import { defineConfig } from 'vitest/config';
import { bundleTextForVite } from './scripts/bundle-text.ts';

export default defineConfig({
  plugins: [bundleTextForVite()],
  resolve: { conditions: ['codeseam-source', 'node', 'import', 'default'] },
  ssr: {
    resolve: {
      conditions: ['codeseam-source', 'node', 'import', 'default'],
      externalConditions: ['codeseam-source', 'node', 'import', 'default'],
    },
  },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'bench/src/**/*.test.ts', 'tests/**/*.test.ts', 'scripts/**/*.test.ts'],
    // By itself vitest leaves one core free; much of the time tests wait for processes of their own.
    maxWorkers: '100%',
    testTimeout: 20_000,
    // Real processes on a shared machine: there, what fails once and passes then is reported as retried.
    retry: process.env['CI'] ? 1 : 0,
    hookTimeout: 30_000,
  },
});
