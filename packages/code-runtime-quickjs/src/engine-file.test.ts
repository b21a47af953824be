import { expect, test } from 'vitest';
import { engineBytes } from './engine-file.ts';

test('the engine is the same where its package is not installed', async () => {
  const shipped = await engineBytes(import.meta.url);
  const embedded = await engineBytes('file:///nowhere/app.js');
  expect(shipped.length).toBeGreaterThan(500_000);
  expect(Buffer.compare(Buffer.from(embedded), Buffer.from(shipped))).toBe(0);
});
