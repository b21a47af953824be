import { expect, test } from 'vitest';
import { argumentsProblem, argumentsText } from './arguments-text.ts';

function problem(args: unknown[], maxBytes = 1_000): string {
  try {
    return `text: ${argumentsText(args, maxBytes)}`;
  } catch (error) {
    return argumentsProblem(error, maxBytes);
  }
}

test('trailing undefined arguments are as good as none', () => {
  expect(argumentsText([], 10)).toBe('[]');
  expect(argumentsText([undefined, undefined], 10)).toBe('[]');
  expect(argumentsText([1, { a: 'b' }, undefined], 100)).toBe('[1,{"a":"b"}]');
});

test('what cannot cross is told with its place, its size, or as unreadable', () => {
  expect(problem([1, { a: [1n] }])).toMatch(/^arguments\[1\]\.a\[0\]/);
  expect(problem([undefined, 1])).toMatch(/^arguments\[0\]/);
  expect(problem(['x'.repeat(20)], 10)).toBe('the arguments are over maxCallBytes (10 bytes)');
  expect(argumentsProblem(new Error('of the guest'), 10)).toBe('the arguments could not be read');
});
