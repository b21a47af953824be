import type Anthropic from '@anthropic-ai/sdk';
import { isSpecType } from '@modelcontextprotocol/client';
import type OpenAI from 'openai';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { toAnthropicTools, toMcpTools, toOpenAITools } from '../index.ts';
import { makeTool, registryWith } from '../testing/tools.ts';
import { providerSchema } from './provider-schema.ts';

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

async function presented() {
  const tools = registryWith([
    makeTool('forecast', {
      title: 'Forecast',
      parameters,
      output: { schema: { type: 'object', properties: { degrees: { type: 'number' } } } },
      annotations: { readOnlyHint: true },
    }),
    makeTool('list', { output: { schema: { type: 'array' } } }),
  ]);
  return tools.present(tools.view({}));
}

test('OpenAI chat completions and responses', async () => {
  const presentation = await presented();
  const chat = toOpenAITools(presentation);
  expectTypeOf(chat).toExtend<OpenAI.Chat.Completions.ChatCompletionTool[]>();
  expect(chat[0]).toEqual({
    type: 'function',
    function: { name: 'forecast', description: 'Does forecast.', parameters },
  });
  const responses = toOpenAITools(presentation.tools, { api: 'responses' });
  expectTypeOf(responses).toExtend<OpenAI.Responses.Tool[]>();
  expect(responses[0]).toEqual({
    type: 'function',
    name: 'forecast',
    description: 'Does forecast.',
    parameters,
    strict: false,
  });
});

test('Anthropic messages', async () => {
  const tools = toAnthropicTools(await presented());
  expectTypeOf(tools).toExtend<Anthropic.Messages.ToolUnion[]>();
  expect(tools[0]).toEqual({ name: 'forecast', description: 'Does forecast.', input_schema: parameters });
});

test('MCP tools/list, as the published validator takes it', async () => {
  const tools = toMcpTools(await presented());
  expect(isSpecType.ListToolsResult({ tools })).toBe(true);
  expect(tools).toEqual([
    {
      name: 'forecast',
      title: 'Forecast',
      description: 'Does forecast.',
      inputSchema: parameters,
      outputSchema: { type: 'object', properties: { degrees: { type: 'number' } } },
      annotations: { readOnlyHint: true },
    },
    { name: 'list', description: 'Does list.', inputSchema: { type: 'object' } },
  ]);
});

describe('the root of a provider schema', () => {
  test('stays as it is where it is plain', () => {
    expect(providerSchema({ ...parameters, $schema: 'http://json-schema.org/draft-07/schema#' })).toEqual(parameters);
    expect(providerSchema({ type: 'object' })).toEqual({ type: 'object', properties: {} });
  });

  test('takes combinators into properties, and refuses nothing that they accept', () => {
    expect(
      providerSchema({
        type: 'object',
        properties: { id: { type: 'string' } },
        required: ['id'],
        additionalProperties: false,
        anyOf: [
          { properties: { a: { type: 'string' }, id: { type: 'number' } }, required: ['a'] },
          { properties: { a: { type: 'number' } } },
        ],
        allOf: [{ properties: { b: { type: 'boolean' } }, required: ['b'] }],
        not: { required: ['c'] },
      }),
    ).toEqual({
      type: 'object',
      properties: {
        b: { type: 'boolean' },
        a: { anyOf: [{ type: 'string' }, { type: 'number' }] },
        id: { type: 'string' },
      },
      required: ['id', 'b'],
    });
  });
});
