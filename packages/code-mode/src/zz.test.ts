import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { registerEverydayTools } from './testing/everyday-tools.ts';
import { createHarness } from './testing/harness.ts';

const cases = JSON.parse(readFileSync(process.env['CASES'] ?? '/tmp/mm.json', 'utf8'));
test('x', async () => {
  const { exec, tools, codeMode, callOptions } = await createHarness({ config: { timeoutMs: 2000 } });
  registerEverydayTools(tools);
  for (const { id, code, tool, input, expect } of cases) {
    const r: any =
      tool === 'wait'
        ? await codeMode.wait(input, callOptions())
        : await codeMode.exec(input ?? { code }, callOptions());
    const { telemetry, ...rest } = r;
    let t = JSON.stringify(rest);
    if (t.length > 900) t = t.slice(0, 400) + ' ...... ' + t.slice(-450);
    console.log(`## ${id}: ${code?.slice(0, 100)}\n   want: ${expect}\n   got: ${t}`);
  }
}, 120000);
