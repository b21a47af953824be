import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { Inspection } from './collect-inspection.ts';
import { htmlReport } from './html-report.ts';
import { parseTrace } from './parse-trace.ts';

const HOSTILE = '</script><script>globalThis.owned = 1</script><img src=x onerror="owned=1">';

const inspection: Inspection = {
  config: 'cordis.yml',
  rows: [
    { id: 'tools', name: '@codeseam/tools', state: 'active' },
    { id: 'mcp', name: '@codeseam/mcp-client', state: 'failed', error: 'cordis.yml:9: row mcp: no' },
  ],
  servers: [],
  active: { mode: 'code', transport: 'exec' },
  modes: [
    {
      mode: 'native',
      tokens: 1200,
      tools: [{ name: 'sum', description: HOSTILE, parameters: { type: 'object' } }],
      sections: [],
    },
    {
      mode: 'code',
      tokens: 300,
      tools: [{ name: 'exec', description: 'Runs.', parameters: { type: 'object' } }],
      sections: [],
    },
    { mode: 'both', problem: 'no runtime', tokens: 0, tools: [], sections: [] },
  ],
  catalog: [
    {
      id: 'mcp:calc:sum',
      name: 'sum',
      description: 'Adds numbers.',
      source: 'mcp',
      input: 'unknown',
      callPath: 'MCP.calc.sum',
    },
    {
      id: 'mcp:calc:echo',
      name: 'echo',
      description: HOSTILE,
      source: 'mcp',
      input: 'unknown',
      callPath: 'MCP.calc.echo',
    },
  ],
  namespaces: [
    { id: 'issues', globalName: 'Issues', owner: 'row', visible: false, missing: [{ name: 'x', reason: 'denied' }] },
  ],
  files: [{ path: 'mcp/calc.d.ts', content: 'declare namespace MCP {}', description: '', bytes: 24 }],
};

const trace = parseTrace(
  [
    { t: 1000, type: 'program', code: HOSTILE },
    { t: 1010, type: 'call-start', callId: 'a', toolId: 'mcp:calc:sum', arguments: { a: 1 } },
    {
      t: 1050,
      type: 'call-end',
      callId: 'a',
      toolId: 'mcp:calc:sum',
      isError: true,
      code: 'DENIED',
      ms: 40,
      content: [],
    },
    { t: 1060, type: 'call-start', callId: 'b', toolId: 'mcp:calc:echo', arguments: {} },
    { t: 1100, type: 'result', result: { status: 'completed', value: 1 } },
  ]
    .map((event) => JSON.stringify(event))
    .join('\n'),
  'run.jsonl',
);

test('a trace is read back as calls with their times', () => {
  expect(trace).toMatchObject({
    totalMs: 100,
    truncated: false,
    calls: [
      { callId: 'a', startMs: 10, ms: 40, isError: true, code: 'DENIED' },
      { callId: 'b', startMs: 60, isError: false },
    ],
    result: { status: 'completed' },
  });
});

test('a line that is none of a trace is refused with its number', () => {
  expect(() => parseTrace('{"t":1,"type":"program"}\nnonsense', 'run.jsonl')).toThrow(
    'run.jsonl:2: not a line of a trace',
  );
});

test('nothing that a server, a program or a model wrote can leave its place in the page', () => {
  const page = htmlReport(inspection, trace);
  expect(page).not.toContain('<img');
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).not.toMatch(/<[^>]+\s(?:src|href)=/);
});

const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

test.skipIf(!chromium)(
  `in a browser, without a network, the page shows all of it and its filter works${chromium ? '' : ' (skipped: no chromium)'}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'codeseam-page-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'inspect.html');
    writeFileSync(file, htmlReport(inspection, trace));
    const { chromium: browserType } = await import('playwright-core');
    const browser = await browserType.launch({ executablePath: chromium!, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      const problems: string[] = [];
      page.on('console', (message) => problems.push(message.text()));
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('request', (request) => {
        if (!request.url().startsWith('file:')) problems.push(request.url());
      });
      await page.goto(pathToFileURL(file).href);
      expect(await page.locator('#modes tr').allInnerTexts()).toEqual([
        expect.stringContaining('tokens (o200k)'),
        expect.stringMatching(/native\s+1200\s+1/),
        expect.stringMatching(/code \(configured\)\s+300\s+1/),
        expect.stringMatching(/both.*no runtime/s),
      ]);
      expect(await page.locator('#timeline tr').count()).toBe(2);
      expect(await page.locator('#program').textContent()).toBe(HOSTILE);
      await page.locator('#filter').fill('adds');
      expect(await page.locator('#catalog .entry:visible').allInnerTexts()).toEqual([
        expect.stringContaining('MCP.calc.sum'),
      ]);
      expect(await page.locator('#shown').textContent()).toBe('1 of 2');
      expect(await page.evaluate('globalThis.owned')).toBe(undefined);
      expect(problems).toEqual([]);
      const shot = process.env['CODESEAM_SCREENSHOT'];
      if (shot) await page.screenshot({ path: shot, fullPage: true });
    } finally {
      await browser.close();
    }
  },
  60_000,
);
