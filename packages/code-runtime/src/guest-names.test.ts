import { expect, test } from 'vitest';
import { checkSurroundings } from './check-request.ts';
import { guestNames, takenNames } from './guest-names.ts';

const ToolError = { name: 'ToolError', memberNameProperty: 'tool' };
const names = guestNames(
  checkSurroundings(
    {
      bindings: [
        { global: 'plain', functions: {} },
        { global: 'tools', functions: {}, errorClass: ToolError },
        { global: 'files', functions: {}, errorClass: { name: 'FileError', memberNameProperty: 'file' } },
        { global: 'more', functions: {}, errorClass: { ...ToolError } },
      ],
      globals: { limit: 3, user: { id: 1 } },
    },
    { limits: {} },
  ),
);

test('a class of errors that namespaces share is named once', () => {
  expect(names).toEqual({
    errors: [
      { name: 'ToolError', property: 'tool' },
      { name: 'FileError', property: 'file' },
    ],
    namespaces: [
      { global: 'plain', error: -1 },
      { global: 'tools', error: 0 },
      { global: 'files', error: 1 },
      { global: 'more', error: 0 },
    ],
    globals: ['limit', 'user'],
  });
});

test('every name that is taken is among the taken ones', () => {
  expect(takenNames(names).sort()).toEqual([
    'FileError',
    'ToolError',
    'files',
    'limit',
    'more',
    'plain',
    'tools',
    'user',
  ]);
});
