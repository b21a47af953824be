// An inspection, and the record of a run, as one page that needs no network and no server.

import type { Inspection, ModeInspection } from './collect-inspection.ts';
import { Html, html } from './escape-html.ts';
import filterScript from './page/filter-catalog.ts?bundle=guest';
import { PAGE_STYLE } from './page-style.ts';
import type { Trace, TracedCall } from './parse-trace.ts';

/** The whole page. */
export function htmlReport(inspection: Inspection, trace?: Trace): string {
  const body = [
    html`<h1>codeseam inspect</h1><p class="note">${inspection.config}</p>`,
    trace && timeline(trace),
    modes(inspection),
    catalog(inspection),
    namespaces(inspection),
    files(inspection),
    rows(inspection),
    servers(inspection),
  ];
  // Nothing of the page may load or send anything.
  const policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width"><title>codeseam inspect</title><style>${new Html(PAGE_STYLE)}</style></head>
<body>${body}<script>${new Html(filterScript)}</script></body></html>
`.text;
}

function modes({ modes: all, active }: Inspection): Html {
  const most = Math.max(1, ...all.map((mode) => mode.tokens));
  const row = (mode: ModeInspection) => html`<tr><td>${mode.mode}${mode.mode === active?.mode && ' (configured)'}</td>
<td class="number">${mode.problem ? '' : mode.tokens}</td><td class="number">${mode.tools.length}</td>
<td class="track">${mode.problem ? html`<span class="bad">${mode.problem}</span>` : meter(mode.tokens / most)}</td></tr>`;
  return html`<h2>What the model sees</h2>
<table id="modes"><tr><th>mode</th><th>tokens (o200k)</th><th>tools</th><th></th></tr>${all.map(row)}</table>
${all.filter((mode) => mode.tools.length > 0).map(modeDetails)}`;
}

function modeDetails({ mode, tools, sections }: ModeInspection): Html {
  const parts = [
    ...sections.map(
      ({ id, text }) => html`<details><summary>prompt section ${id}</summary><pre>${text}</pre></details>`,
    ),
    ...tools.map(
      ({ name, description, parameters }) => html`<details><summary><code>${name}</code></summary>
<pre>${description}</pre><pre>${JSON.stringify(parameters, null, 2)}</pre></details>`,
    ),
  ];
  return html`<details><summary>${mode}: ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'} on the wire</summary>${parts}</details>`;
}

function meter(share: number): Html {
  return html`<div class="meter" style="width:${(share * 100).toFixed(1)}%"></div>`;
}

function catalog({ catalog: entries }: Inspection): Html {
  const entry = (
    it: Inspection['catalog'][number],
  ) => html`<details class="entry"><summary><code>${it.callPath ?? it.id}</code>
<span class="note">${it.description.split('\n')[0]?.slice(0, 120)}</span></summary>
<p><code>${it.id}</code></p><pre>${it.description}</pre><pre>${it.input} -&gt; ${it.output ?? '?'}</pre></details>`;
  return html`<h2>Catalog (${entries.length})</h2>
<input type="search" id="filter" placeholder="filter by name or description" aria-label="filter"> <span id="shown" class="note"></span>
<div id="catalog">${entries.map(entry)}</div>`;
}

function namespaces({ namespaces: all }: Inspection): Html | undefined {
  if (all.length === 0) return undefined;
  const row = (
    it: Inspection['namespaces'][number],
  ) => html`<tr><td><code>${it.globalName}</code></td><td>${it.owner}</td>
<td>${it.visible ? html`<span class="good">visible</span>` : it.missing.map(({ name, reason }) => `${name}: ${reason}`).join('; ')}</td></tr>`;
  return html`<h2>Namespaces</h2><table><tr><th>global</th><th>owner</th><th>state</th></tr>${all.map(row)}</table>`;
}

function files({ files: all }: Inspection): Html | undefined {
  if (all.length === 0) return undefined;
  const file = (it: Inspection['files'][number]) =>
    html`<details><summary><code>${it.path}</code> <span class="note">${it.bytes} bytes</span></summary><pre>${it.content}</pre></details>`;
  return html`<h2>Declarations</h2>${all.map(file)}`;
}

function rows({ rows: all }: Inspection): Html {
  const row = (it: Inspection['rows'][number]) => html`<tr><td>${it.id}</td><td><code>${it.name}</code></td>
<td class="${it.state === 'active' ? 'good' : it.state === 'failed' ? 'bad' : 'note'}">${it.state}</td><td>${it.error ?? it.missing?.join(', ')}</td></tr>`;
  return html`<h2>Rows</h2><table><tr><th>row</th><th>plugin</th><th>state</th><th></th></tr>${all.map(row)}</table>`;
}

function servers({ servers: all }: Inspection): Html | undefined {
  if (all.length === 0) return undefined;
  const row = (it: Inspection['servers'][number]) => html`<tr><td>${it.name}</td>
<td class="${it.state === 'connected' ? 'good' : 'bad'}">${it.state}</td><td>${it.tools} tools, ${it.resources} resources, ${it.prompts} prompts</td>
<td>${[...(it.lastError ? [it.lastError] : []), ...it.problems].join('; ')}</td></tr>`;
  return html`<h2>MCP servers</h2><table><tr><th>server</th><th>state</th><th></th><th></th></tr>${all.map(row)}</table>`;
}

function timeline(trace: Trace): Html {
  const total = Math.max(1, trace.totalMs, ...trace.calls.map((call) => call.startMs + (call.ms ?? 0)));
  const result =
    trace.result && html`<h3>Result: ${trace.result.status}</h3><pre>${JSON.stringify(trace.result, null, 2)}</pre>`;
  return html`<h2>Run: ${trace.calls.length} calls in ${trace.totalMs} ms</h2>
${trace.truncated && html`<p class="bad">The record is cut: it had reached its limit.</p>`}
${trace.code !== undefined && html`<pre id="program">${trace.code}</pre>`}
<table id="timeline">${trace.calls.map((call) => timelineRow(call, total))}</table>${result}`;
}

function timelineRow(call: TracedCall, total: number): Html {
  const left = ((call.startMs / total) * 100).toFixed(2);
  const width = (((call.ms ?? total - call.startMs) / total) * 100).toFixed(2);
  const took = call.ms === undefined ? 'no end' : `${call.ms} ms`;
  return html`<tr><td><details><summary><code>${call.toolId}</code></summary><pre>${JSON.stringify(call.arguments, null, 2)}</pre>
<pre>${JSON.stringify(call.content, null, 2)}</pre></details></td>
<td class="number ${call.isError && 'bad'}">${took}${call.isError && ` ${call.code ?? 'failed'}`}</td>
<td class="track"><div class="bar ${call.isError && 'bad'}" style="margin-left:${left}%;width:${width}%"></div></td></tr>`;
}
