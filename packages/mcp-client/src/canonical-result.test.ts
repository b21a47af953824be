import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BlobStore } from './blob-store.ts';
import { canonicalToolResult } from './canonical-result.ts';

const context = () => ({ server: 's', blobs: new BlobStore() });

// Real calls and what real servers answered.
const calls = readFileSync(new URL('./fixtures/mcp-calls.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('{'))
  .map((line) => JSON.parse(line) as { package: string; tool: string; result?: Record<string, unknown> })
  .filter((call) => call.result !== undefined);

test.each(calls.map((call) => [`${call.package} ${call.tool}`, call.result!] as const))(
  '%s keeps all that the server gave',
  (_name, result) => {
    const { value, content, isError } = canonicalToolResult(result, context());
    expect(isError).toBe(result['isError'] === true);
    expect(value.structuredContent).toEqual(result['structuredContent']);
    expect('isError' in value).toBe(isError);
    expect(value.content).toHaveLength((result['content'] as unknown[]).length);
    for (const [index, block] of (result['content'] as Record<string, unknown>[]).entries()) {
      if (block['type'] === 'image') {
        expect(value.content[index]).toEqual({
          type: 'image',
          mimeType: block['mimeType'],
          bytes: Buffer.from(block['data'] as string, 'base64').length,
          ref: expect.stringMatching(/^codeseam-blob:/),
        });
      } else expect(value.content[index]).toEqual(block);
      expect(content[index]).toMatchObject(
        block['type'] === 'text' ? { type: 'text', text: block['text'] } : { type: block['type'] },
      );
    }
  },
);

test('binary data is kept under a ref that only its server can read, whole blocks go to the model', () => {
  const blobs = new BlobStore();
  const { value, content } = canonicalToolResult(
    {
      content: [
        { type: 'audio', data: 'AAECAw==', mimeType: 'audio/wav', annotations: { priority: 1 }, _meta: { a: 1 } },
        { type: 'resource', resource: { uri: 'x://1', blob: 'AAEC', _meta: {} } },
      ],
      _meta: { b: 2 },
    },
    { server: 's', blobs },
  );
  const [audio, resource] = value.content as [{ ref: string }, { resource: { ref: string } }];
  expect(value).toEqual({
    content: [
      { type: 'audio', mimeType: 'audio/wav', bytes: 4, ref: audio.ref, annotations: { priority: 1 } },
      {
        type: 'resource',
        resource: { uri: 'x://1', mimeType: 'application/octet-stream', bytes: 3, ref: resource.resource.ref },
      },
    ],
  });
  expect(content).toEqual([
    { type: 'audio', data: 'AAECAw==', mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'x://1', blob: 'AAEC' } },
  ]);
  expect(blobs.read(audio.ref, 's')).toEqual({ server: 's', mimeType: 'audio/wav', data: 'AAECAw==' });
  expect(blobs.read(audio.ref, 'other')).toBeUndefined();
});

test('the oldest blocks go when there is no more room, and one that is too large has no ref', () => {
  const blobs = new BlobStore(10);
  const keep = (data: string) => blobs.keep({ server: 's', mimeType: 'm', data });
  const first = keep('123456')!;
  const second = keep('123456')!;
  expect(blobs.read(first, 's')).toBeUndefined();
  expect(blobs.read(second, 's')?.data).toBe('123456');
  expect(keep('12345678901')).toBeUndefined();
  expect(blobs.read(second, 's')?.data).toBe('123456');
});

test('blocks that are none are kept as JSON, and nothing at all is refused', () => {
  const { value, content } = canonicalToolResult(
    { content: [1, null, { type: 'hologram', depth: 3 }, { type: 'image', data: 5 }] },
    context(),
  );
  expect(value.content).toEqual([
    { type: 'unknown', value: 1 },
    { type: 'unknown', value: null },
    { type: 'hologram', depth: 3 },
    { type: 'image', data: 5 },
  ]);
  expect(content[2]).toEqual({ type: 'text', text: '{"type":"hologram","depth":3}' });
  expect(() => canonicalToolResult({}, context())).toThrow('neither "content" nor "structuredContent"');
  expect(() => canonicalToolResult({ content: 'text' }, context())).toThrow('not an array');
});

test('structured content without blocks is shown as text', () => {
  expect(canonicalToolResult({ structuredContent: { a: 1 } }, context())).toEqual({
    value: { content: [], structuredContent: { a: 1 } },
    content: [{ type: 'text', text: '{"a":1}' }],
    isError: false,
  });
});
