// From what a model sent as `code` to the program that runs.
import { unwrapCell } from '@codeseam/cell';
import type { Tool } from '@codeseam/tools';
import type { Catalog } from './catalog/catalog.ts';
import type { CodeModeSettings } from './config-schema.ts';
import { type RunFailure, runFailure } from './run/map-failure.ts';
import type { CodeModeLanguage } from './types.ts';

export type ReadCell =
  | { ok: true; program: string; language: CodeModeLanguage | undefined }
  | { ok: false; failure: RunFailure };

/** Labels of fences that hold no JavaScript. */
const FOREIGN = new Set([
  'c',
  'cpp',
  'csharp',
  'go',
  'java',
  'kotlin',
  'php',
  'py',
  'python',
  'r',
  'ruby',
  'rust',
  'sql',
  'swift',
]);
const SHELL_TOOL =
  /^(?:bash|exec|execute_?command|run_?(?:shell_?)?command|run_?terminal_?cmd|shell|start_?process|terminal)$/i;

/** Tool calls as models write them where a surface wants them as text. */
const MARKUP = /^\s*<\/?(?:tool_calls?|tool_use|function_calls?|function|invoke|use_mcp_tool|execute)\b[^>]*>/;
const CALLS_ARE_FUNCTIONS =
  'write the call as a program: return await MCP.server.toolName({ … }), or return await tools.callValue("id", { … })';

export function readCell(
  code: string,
  language: CodeModeLanguage | undefined,
  settings: CodeModeSettings,
  catalog: Catalog,
): ReadCell {
  if (MARKUP.test(code)) {
    const error = 'this is the markup of a tool call, and `code` takes a JavaScript program';
    return { ok: false, failure: runFailure('invalid_input', error, CALLS_ARE_FUNCTIONS) };
  }
  const { program, label, shell } = unwrapCell(code);
  if (shell !== undefined) return { ok: false, failure: shellFailure(shell, catalog) };
  if (label !== undefined && FOREIGN.has(label)) {
    return {
      ok: false,
      failure: runFailure(
        'unsupported_language',
        `exec runs JavaScript, not ${label}`,
        'write the program in JavaScript',
      ),
    };
  }
  // Where one language is off, an unlabelled program is of the other.
  const only = settings.languages.length === 1 ? settings.languages[0] : undefined;
  return { ok: true, program, language: language ?? only };
}

function shellFailure(command: string, catalog: Catalog): RunFailure {
  const tool = [...catalog.own, ...catalog.mcpTools].find(({ name }) => SHELL_TOOL.test(name));
  const shown = JSON.stringify(command.slice(0, 80));
  return runFailure(
    'invalid_input',
    `${shown} is a shell command, and exec runs JavaScript`,
    tool
      ? `there is a tool for shell commands: ${callOf(tool, catalog)}`
      : 'write a program that calls tools; await tools.search("run a command") says whether there is one for commands',
  );
}

function callOf(tool: Tool, catalog: Catalog): string {
  const path = catalog.callPath(tool);
  return path === undefined ? `await tools.callValue(${JSON.stringify(tool.id)}, { … })` : `await ${path}({ … })`;
}
