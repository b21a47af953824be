// An inspection as text for a terminal.
import type { Paint } from '../io.ts';
import type { Inspection } from './collect-inspection.ts';

const SHOWN_NAMES = 6;
const SHOWN_ENTRIES = 40;

/** Rows, modes with their token counts, catalog, namespaces and declaration files. */
export function textReport(inspection: Inspection, paint: Paint): string {
  const parts = [
    `${paint('Config', 'bold')}  ${inspection.config}`,
    rowLines(inspection, paint),
    serverLines(inspection, paint),
    modeLines(inspection, paint),
  ];
  const problem = inspection.problem ?? inspection.active?.problem ?? inspection.codeMode?.problem;
  if (problem) parts.push(paint(`Programs cannot run: ${problem}`, 'yellow'));
  parts.push(catalogLines(inspection, paint), namespaceLines(inspection, paint), fileLines(inspection, paint));
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function rowLines({ rows }: Inspection, paint: Paint): string {
  if (rows.length === 0) return '';
  const width = Math.max(...rows.map((row) => row.id.length));
  const lines = rows.map(({ id, name, state, error, hint, missing }) => {
    const mark =
      state === 'active' ? paint('active  ', 'green') : paint(state.padEnd(8), state === 'failed' ? 'red' : 'yellow');
    const why = error ? `${error}${hint ? ` (${hint})` : ''}` : missing ? `waits for ${missing.join(', ')}` : '';
    return `  ${mark} ${name === id ? id : `${id.padEnd(width)}  ${name}`}${why && `\n           ${why}`}`;
  });
  return [paint('Rows', 'bold'), ...lines].join('\n');
}

function serverLines({ servers }: Inspection, paint: Paint): string {
  if (servers.length === 0) return '';
  const width = Math.max(...servers.map((server) => server.name.length));
  const lines = servers.map(({ name, state, tools, resources, prompts, lastError, problems }) => {
    const mark = paint(state.padEnd(12), state === 'connected' ? 'green' : 'yellow');
    const notes = [...(lastError ? [lastError] : []), ...problems].map((note) => `\n           ${note}`).join('');
    return `  ${mark} ${name.padEnd(width)}  ${tools} tools, ${resources} resources, ${prompts} prompts${notes}`;
  });
  return [paint('MCP servers', 'bold'), ...lines].join('\n');
}

function modeLines({ modes, active, servers }: Inspection, paint: Paint): string {
  if (modes.length === 0) return paint('No registry of tools is mounted.', 'yellow');
  const isServerDown = servers.some(({ state }) => state !== 'connected' && state !== 'disabled');
  const lines = modes.map(({ mode, tokens, tools, sections, problem }) => {
    const mark = active?.mode === mode ? paint('*', 'green') : ' ';
    if (problem) return `${mark} ${mode.padEnd(7)} ${paint(problem, 'yellow')}`;
    if (tools.length === 0) {
      const awaited = mode !== 'native' && active?.transport ? `${active.transport} appears` : 'they appear';
      const until = isServerDown ? `: ${awaited} once a server is up` : '';
      return `${mark} ${mode.padEnd(7)} ${String(tokens).padStart(7)} tokens  no tools${until}`;
    }
    const names = tools.slice(0, SHOWN_NAMES).map((tool) => tool.name);
    const more = tools.length > names.length ? `, and ${tools.length - names.length} more` : '';
    const prompt = sections.length > 0 ? ` + prompt sections ${sections.map(({ id }) => id).join(', ')}` : '';
    return `${mark} ${mode.padEnd(7)} ${String(tokens).padStart(7)} tokens  ${tools.length} tools: ${names.join(', ')}${more}${prompt}`;
  });
  const head = `${paint('What the model sees', 'bold')} (o200k tokens; * is configured${active?.transport ? `, transport ${active.transport}` : ''})`;
  return [head, ...lines].join('\n');
}

function catalogLines({ catalog, hint }: Inspection, paint: Paint): string {
  if (catalog.length === 0) return `The catalog is empty${hint ? `: ${hint}` : '.'}`;
  const shown = catalog.slice(0, SHOWN_ENTRIES).map((entry) => `  ${entry.callPath ?? entry.id}`);
  const rest = catalog.length - shown.length;
  return [
    `${paint('Catalog', 'bold')}  ${catalog.length} entries that programs may call`,
    ...shown,
    ...(rest > 0 ? [`  and ${rest} more; codeseam search finds them, --json lists all`] : []),
  ].join('\n');
}

function namespaceLines({ namespaces }: Inspection, paint: Paint): string {
  if (namespaces.length === 0) return '';
  const lines = namespaces.map(({ globalName, owner, visible, missing }) => {
    if (visible) return `  ${globalName} (of ${owner})`;
    const needs = missing.map(({ name, reason }) => `${name}: ${reason}`).join('; ');
    return `  ${globalName} (of ${owner}) ${paint(`is not there: ${needs}`, 'yellow')}`;
  });
  return [paint('Namespaces', 'bold'), ...lines].join('\n');
}

function fileLines({ files }: Inspection, paint: Paint): string {
  if (files.length === 0) return '';
  return [paint('Declarations', 'bold'), ...files.map(({ path, bytes }) => `  ${path}  ${bytes} bytes`)].join('\n');
}
