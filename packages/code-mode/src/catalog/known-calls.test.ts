import { nearestNames } from '@codeseam/nearest-names';
import { finish } from '@codeseam/schema-types';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearestInSteps } from './known-calls.ts';

test('the nearest names are the same whether they are looked for at once or in steps', () => {
  const name = fc.stringMatching(/^(get|read|list)_(file|issue|page)s?_?[0-9]{0,2}$/);
  fc.assert(
    fc.property(name, fc.array(name, { maxLength: 900 }), fc.integer({ min: 1, max: 5 }), (wanted, known, limit) => {
      const names = [...new Set(known)];
      // Of equally near ones in different chunks the earlier stays.
      expect(finish(nearestInSteps(wanted, names, limit))).toEqual(nearestNames(wanted, names, limit));
    }),
    { numRuns: 50 },
  );
});

test('of names that are equally near the earlier ones stay, however far apart they are', () => {
  const names = Array.from({ length: 450 }, (_, index) => `file${String(index).padStart(3, '0')}`);
  expect(finish(nearestInSteps('file', names, 3))).toEqual(['file000', 'file001', 'file002']);
});
