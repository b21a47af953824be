import { describe, expect, test } from 'vitest';
import { schemaToHint } from './index.ts';

const issue = {
  type: 'object',
  properties: {
    body: { type: 'string', description: 'Not shown' },
    labels: { type: 'array', items: { type: 'string' } },
    title: { type: 'string' },
    state: { enum: ['open', 'closed', null] },
  },
  required: ['title'],
  additionalProperties: false,
};

describe('a hint', () => {
  test('is one line, required keys first', () => {
    expect(schemaToHint(issue)).toEqual({
      text: "{ title: string; body?: string; labels?: string[]; state?: 'open' | 'closed' | null }",
      complete: true,
    });
  });

  test('is cut by characters, depth and properties, and says so', () => {
    expect(schemaToHint(issue, { maxChars: 20 })).toEqual({ text: '{ title: string; bo…', complete: false });
    expect(schemaToHint(issue, { maxProperties: 1 })).toEqual({ text: '{ title: string; … }', complete: false });
    const deep = { type: 'object', properties: { a: issue }, required: ['a'], additionalProperties: false };
    expect(schemaToHint(deep, { maxDepth: 1 })).toEqual({ text: '{ a: { … } }', complete: false });
  });

  test('is complete only if every object is closed and nothing is unknown', () => {
    expect(schemaToHint({ ...issue, additionalProperties: true })).toMatchObject({ complete: false });
    expect(schemaToHint({ type: 'object' })).toEqual({ text: 'object', complete: false });
    expect(schemaToHint({ type: 'array' })).toEqual({ text: 'unknown[]', complete: false });
    expect(schemaToHint({ type: 'array', items: { type: ['string', 'null'] } })).toEqual({
      text: '(string | null)[]',
      complete: true,
    });
    expect(schemaToHint({ type: 'object', additionalProperties: { type: 'integer' } })).toEqual({
      text: 'Record<string, number>',
      complete: true,
    });
  });

  test('spells references out, and cuts recursion', () => {
    const tree = {
      type: 'object',
      properties: { v: { type: 'string' }, next: { $ref: '#' } },
      required: ['v'],
      additionalProperties: false,
    };
    expect(schemaToHint(tree)).toEqual({ text: '{ v: string; next?: … }', complete: false });
  });

  test('leaves a key out only where its default fills it', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', default: 'x' } },
      required: ['a'],
      additionalProperties: false,
    };
    expect(schemaToHint(schema).text).toBe('{ a?: string }');
    expect(schemaToHint(schema, { io: 'output' }).text).toBe('{ a: string }');
  });
});
