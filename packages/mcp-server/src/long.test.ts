// What needs a newer Node or packages that are too heavy for every install: run with CODESEAM_LONG=1.
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectMcpServers, type ServerOptions } from '@codeseam/mcp-client';
import { describe, expect, test } from 'vitest';
import { expectedFailures } from './fixtures/conformance-expected.ts';
import { conformanceTools } from './fixtures/conformance-tools.ts';
import { afterTest, stdioClient, surface, tool } from './fixtures/harness.ts';
import { installed, newerNode, runToEnd } from './fixtures/npm-tools.ts';

const here = (path: string) => new URL(path, import.meta.url).pathname;
const MINUTES = 60_000;

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'codeseam-long-'));
  afterTest(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

// The suite and the Inspector need Node 22 or newer (`fs.globSync`), so both run on the Node 24 of the npm package.
describe.skipIf(!process.env['CODESEAM_LONG'])('the official conformance suite', () => {
  async function conformance(...args: string[]) {
    const node = await newerNode();
    const modules = await installed('conformance-0.1.16', ['@modelcontextprotocol/conformance@0.1.16']);
    const cli = join(modules, '@modelcontextprotocol/conformance/dist/index.js');
    return runToEnd(node, [cli, ...args], { cwd: tempFolder() });
  }

  /** The scenarios of one side that do not pass: each is run by itself, since the suite's own parallel run may never end. */
  async function failing(side: 'server' | 'client', ...args: string[]): Promise<string[]> {
    const { stdout } = await conformance('list', `--${side}`);
    const scenarios = [...stdout.matchAll(/^ {2}- (\S+)/gm)].map((match) => match[1]!);
    expect(scenarios.length).toBeGreaterThan(20);
    const failed: string[] = [];
    const next = async (): Promise<void> => {
      const scenario = scenarios.shift();
      if (scenario === undefined) return;
      const { code } = await conformance(side, '--scenario', scenario, ...args);
      if (code !== 0) failed.push(scenario);
      return next();
    };
    await Promise.all([next(), next()]);
    return failed.sort();
  }

  test(
    'the front passes what applies to a server of tools',
    async () => {
      const { front } = await surface({ tools: conformanceTools, registry: { mode: 'native' }, codeMode: false });
      const { port } = await front.serveHttp({ port: 0 });
      const failed = await failing('server', '--url', `http://localhost:${port}/mcp`);
      expect(failed).toEqual(Object.keys(expectedFailures.server).sort());
    },
    20 * MINUTES,
  );

  test(
    'the client passes what applies to a client of tools',
    async () => {
      const client = here('../../mcp-client/src/fixtures/conformance-client.mjs');
      const flags = '--experimental-transform-types --no-warnings --conditions=codeseam-source';
      const failed = await failing(
        'client',
        '--command',
        `${await newerNode()} ${flags} ${client}`,
        '--timeout',
        '60000',
      );
      expect(failed).toEqual(Object.keys(expectedFailures.client).sort());
    },
    40 * MINUTES,
  );
});

describe.skipIf(!process.env['CODESEAM_LONG'])('the MCP Inspector', () => {
  const add = tool('add', ({ a, b }) => Number(a) + Number(b));

  async function inspect(target: string[], ...args: string[]) {
    const [node, modules] = await Promise.all([
      newerNode(),
      installed('inspector-2.12.0', ['@modelcontextprotocol/inspector@2.12.0']),
    ]);
    const bin = join(modules, '@modelcontextprotocol/inspector');
    const { bin: entry } = JSON.parse(
      await import('node:fs/promises').then((fs) => fs.readFile(join(bin, 'package.json'), 'utf8')),
    ) as {
      bin: Record<string, string>;
    };
    const home = tempFolder();
    const { code, stdout, stderr } = await runToEnd(
      node,
      [join(bin, entry['mcp-inspector']!), '--cli', ...target, ...args],
      {
        cwd: home,
        env: { ...process.env, HOME: home, MCP_CATALOG_PATH: join(home, 'mcp.json') },
      },
    );
    expect(code, `${stdout}\n${stderr}`).toBe(0);
    return JSON.parse(stdout);
  }

  test(
    'it lists and calls over HTTP and over stdio',
    async () => {
      const { front } = await surface({ tools: [add] });
      const { url } = await front.serveHttp({ port: 0 });
      const sockets = createServer((socket) => void front.serveStdio({ stdin: socket, stdout: socket }));
      await new Promise<void>((resolve) => sockets.listen(0, '127.0.0.1', resolve));
      afterTest(() => sockets.close());
      const relay = [process.execPath, here('./fixtures/relay.mjs'), String((sockets.address() as AddressInfo).port)];
      for (const target of [[url], relay]) {
        const { tools } = await inspect(target, '--method', 'tools/list');
        expect(tools.map(({ name }: { name: string }) => name)).toEqual(['exec', 'wait']);
        const call = [
          '--method',
          'tools/call',
          '--tool-name',
          'exec',
          '--tool-arg',
          'code=return await tools.add({ a: 1, b: 2 })',
        ];
        expect((await inspect(target, ...call)).structuredContent).toMatchObject({ status: 'completed', value: 3 });
      }
    },
    10 * MINUTES,
  );
});

// Six servers of npm beside the two that every install has: together over 100 MB.
describe.skipIf(!process.env['CODESEAM_LONG'])('real servers behind the front', () => {
  test(
    'eight servers of npm are described to programs and called by them',
    async () => {
      const modules = await installed('mcp-servers-1', [
        '@modelcontextprotocol/server-memory@2026.8.31',
        '@modelcontextprotocol/server-sequential-thinking@2026.8.31',
        '@playwright/mcp@0.0.83',
        'chrome-devtools-mcp@1.11.0',
        '@antv/mcp-server-chart@0.9.10',
        '@upstash/context7-mcp@4.1.1',
      ]);
      const root = new URL('../../../node_modules', import.meta.url).pathname;
      const folder = tempFolder();
      const node = (file: string, ...args: string[]): ServerOptions => ({
        command: process.execPath,
        args: [file, ...args],
        startupMs: 2 * MINUTES,
      });
      const { tools, front } = await surface({ codeMode: { timeoutMs: 60_000 } });
      const servers = connectMcpServers(
        {
          servers: {
            everything: node(join(root, '@modelcontextprotocol/server-everything/dist/index.js')),
            files: node(join(root, '@modelcontextprotocol/server-filesystem/dist/index.js'), folder),
            memory: {
              ...node(join(modules, '@modelcontextprotocol/server-memory/dist/index.js')),
              env: { MEMORY_FILE_PATH: join(folder, 'memory.json') },
            },
            thinking: node(join(modules, '@modelcontextprotocol/server-sequential-thinking/dist/index.js')),
            playwright: node(join(modules, '@playwright/mcp/cli.js'), '--headless', '--isolated'),
            'chrome-devtools': node(
              join(modules, 'chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js'),
              '--headless',
              '--isolated',
            ),
            chart: node(join(modules, '@antv/mcp-server-chart/build/index.js')),
            context7: node(join(modules, '@upstash/context7-mcp/dist/index.js')),
          },
        },
        { tools },
      );
      afterTest(() => servers.close());
      await servers.ready;
      expect(servers.status().map(({ name, state, problems }) => [name, state, problems])).toEqual(
        ['everything', 'files', 'memory', 'thinking', 'playwright', 'chrome-devtools', 'chart', 'context7'].map(
          (name) => [name, 'connected', []],
        ),
      );
      // Nobody is there to approve what browsers would do.
      const approve = { capabilities: { elicitation: {} } };
      const { client } = await stdioClient(front, approve, (made) =>
        made.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { allow: true } })),
      );
      const exec = async (code: string) =>
        (await client.callTool({ name: 'exec', arguments: { code } })).structuredContent as any;
      const { value: files } = await exec('return (await API.list("mcp")).files.map(({ path }) => path)');
      expect(files).toHaveLength(9);
      const graph = await exec(`
      await MCP.memory.createEntities({ entities: [{ name: 'n', entityType: 't', observations: ['o'] }] });
      await MCP.files.writeFile({ path: ${JSON.stringify(join(folder, 'a.txt'))}, content: 'hello' });
      const [graph, sum, text, thought] = await Promise.all([
        MCP.memory.readGraph(),
        MCP.everything.getSum({ a: 1, b: 2 }),
        MCP.files.readTextFile({ path: ${JSON.stringify(join(folder, 'a.txt'))} }),
        MCP.thinking.sequentialthinking({ thought: 't', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }),
      ]);
      return [graph.structuredContent.entities[0].name, sum.content[0].text, text.structuredContent.content, thought.structuredContent.thoughtNumber]`);
      expect(graph).toMatchObject({ status: 'completed', value: ['n', 'The sum of 1 and 2 is 3.', 'hello', 1] });
      // Browsers and the network may be missing here: a value, a flagged value or a readable error, never silence.
      const outcomes = await exec(`
      const attempt = async (call) => { try { const r = await call(); return r.isError ? r.content[0].text : 'ok' } catch (error) { return error.message } };
      return await Promise.all([
        attempt(() => MCP.playwright.browserTabs({ action: 'list' })),
        attempt(() => MCP.chromeDevtools.listPages({})),
        attempt(() => MCP.chart.generatePieChart({ data: [{ category: 'a', value: 1 }] })),
        attempt(() => MCP.context7.resolveLibraryId({ libraryName: 'react', query: 'hooks' })),
      ])`);
      expect(outcomes.status).toBe('completed');
      for (const outcome of outcomes.value) expect(outcome).toMatch(/\w/);
    },
    20 * MINUTES,
  );
});
