import { readFileSync } from 'node:fs';
import { finish } from '@codeseam/schema-types';
import type { Tool } from '@codeseam/tools';
import { beforeAll, describe, expect, test } from 'vitest';
import { corpusTools } from '../../testing/corpus-view.ts';
import { splitWords } from './split-words.ts';
import { ToolSearch } from './tool-search.ts';

const made = (name: string, more: Partial<Tool> = {}): Tool =>
  ({ id: `host:core:${name}`, source: 'host', owner: 'core', name, description: '', parameters: {}, ...more }) as Tool;

const namesOf = async (query: string, tools: Tool[], limit = 10) => {
  const { tools: found, total } = finish(ToolSearch.build(tools)).find(query, limit);
  return { names: found.map(({ name }) => name), total };
};

describe('search by purpose over 2,273 real tools', () => {
  interface Pair {
    query: string;
    /** Names, or `server:name`; any of them is right. */
    tools: string[];
    /** Written after all tuning, and never looked at while tuning. */
    held?: true;
  }
  const pairs = JSON.parse(
    readFileSync(new URL('../../fixtures/search-pairs.json', import.meta.url), 'utf8'),
  ) as Pair[];
  let search: ToolSearch;
  beforeAll(async () => {
    search = finish(
      ToolSearch.build(
        corpusTools().map(({ owner, ...tool }) =>
          made(tool.name, { ...tool, owner, source: 'mcp', id: `mcp:${owner}:${tool.name}` }),
        ),
      ),
    );
  });
  const missedOf = (some: Pair[]) =>
    some.filter(({ query, tools }) => {
      const { tools: found } = search.find(query, 5);
      return !found.some(({ name, owner }) => tools.includes(name) || tools.includes(`${owner}:${name}`));
    });

  test('the pairs name tools that are there, and a third of them were kept unseen', () => {
    const known = new Set(corpusTools().flatMap(({ owner, name }) => [name, `${owner}:${name}`]));
    expect(pairs.flatMap(({ tools }) => tools).filter((name) => !known.has(name))).toEqual([]);
    expect(new Set(pairs.map(({ query }) => query)).size).toBe(pairs.length);
    expect(pairs.length).toBeGreaterThan(250);
    expect(pairs.filter(({ held }) => held).length).toBeGreaterThan(pairs.length / 3);
  });

  test('finds a right one among the first five for at least 93 % of the queries it was tuned on', () => {
    const tuned = pairs.filter(({ held }) => !held);
    expect(missedOf(tuned).length / tuned.length).toBeLessThanOrEqual(0.07);
  });

  test('and for at least 90 % of those it was not', () => {
    const held = pairs.filter((pair) => pair.held);
    expect(missedOf(held).length / held.length).toBeLessThanOrEqual(0.1);
  });
});

describe('a query', () => {
  const tools = [
    made('read_file', {
      description: 'Reads a file from disk.',
      parameters: { properties: { path: {}, encoding: {} } },
    }),
    made('readFileLines', { description: 'Reads some lines.' }),
    made('send-email', { description: 'Sends an email message.', title: 'Mailer' }),
    made('list_issues', { description: 'Lists issues of the tracker.', owner: 'tracker' }),
  ];

  test('that is a name or an id puts that first, whatever the case', async () => {
    expect((await namesOf('READ_FILE', tools)).names[0]).toBe('read_file');
    expect((await namesOf('host:core:list_issues', tools)).names[0]).toBe('list_issues');
  });

  test('finds identifiers by their parts, parameters, titles and owners', async () => {
    expect((await namesOf('file lines', tools)).names[0]).toBe('readFileLines');
    expect((await namesOf('encoding', tools)).names).toEqual(['read_file']);
    expect((await namesOf('mailer', tools)).names).toEqual(['send-email']);
    expect((await namesOf('tracker', tools)).names).toEqual(['list_issues']);
  });

  test('treats singular and plural, and other forms of a word, alike', async () => {
    expect((await namesOf('issue', tools)).names).toEqual((await namesOf('issues', tools)).names);
    expect((await namesOf('sending emails', tools)).names[0]).toBe('send-email');
  });

  test('forgives a misspelt word', async () => {
    expect((await namesOf('emial', tools)).names).toEqual(['send-email']);
    expect((await namesOf('trakcer', tools)).names).toEqual(['list_issues']);
  });

  test('without a word lists the first tools by id, and says how many there are', async () => {
    expect(await namesOf('  ', tools, 2)).toEqual({ names: ['list_issues', 'readFileLines'], total: 4 });
  });

  test('of words that say nothing is taken as it is', async () => {
    expect((await namesOf('what is it', [made('what', { description: 'what is it' })])).names).toEqual(['what']);
  });

  test('that nothing matches finds nothing', async () => {
    expect(await namesOf('quantum entanglement', tools)).toEqual({ names: [], total: 0 });
  });

  test('says how many more match than it shows', async () => {
    const many = Array.from({ length: 12 }, (_, at) =>
      made(`tool_${String(at).padStart(2, '0')}`, { description: 'Rotates a picture.' }),
    );
    expect(await namesOf('rotate picture', many, 5)).toEqual({
      names: ['tool_00', 'tool_01', 'tool_02', 'tool_03', 'tool_04'],
      total: 12,
    });
  });

  test('works in any language', async () => {
    const foreign = [
      made('wetter', { description: 'Zeigt das Wetter für morgen in München.' }),
      made('tickets', { description: '查询12306余票信息' }),
      made('pogoda', { description: 'Показывает погоду в городе' }),
      made('名前', { description: '名前を検索する' }),
    ];
    expect((await namesOf('munchen', foreign)).names).toEqual(['wetter']);
    expect((await namesOf('余票', foreign)).names).toEqual(['tickets']);
    expect((await namesOf('погоду', foreign)).names).toEqual(['pogoda']);
    expect((await namesOf('名前', foreign)).names).toEqual(['名前']);
  });

  test('cannot be made expensive by its length or by what it holds', async () => {
    const search = finish(ToolSearch.build(tools));
    expect(search.find('x'.repeat(100_000), 5).total).toBe(0);
    expect(search.find('constructor __proto__ toString', 5).total).toBe(0);
    expect(search.find('file '.repeat(20_000), 5).tools[0]!.name).toMatch(/file/i);
  });
});

test('words are split at case, digits and punctuation, and accents are folded', () => {
  expect(splitWords('getHTTPUrl2')).toEqual(['get', 'http', 'url', '2', 'gethttpurl2']);
  expect(splitWords('snake_case-name.v1')).toEqual(['snake', 'case', 'name', 'v', '1', 'v1']);
  expect(splitWords('Crème brûlée')).toEqual(['creme', 'brulee']);
  expect(splitWords('查询车票 API')).toEqual(['查询', '询车', '车票', 'api']);
});
