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
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
