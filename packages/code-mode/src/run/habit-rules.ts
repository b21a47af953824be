// What to do about habits that models bring from other surfaces: calls, names and shapes that are none here.
import type { Catalog } from '../catalog/catalog.ts';

export interface HintRule {
  /** Of the error's text. */
  pattern: RegExp;
  /** Of the program, where the text alone does not tell. */
  program?: RegExp;
  /** @param call how the program calls the tool that it names in a string, if it does: `MCP.files.readFile`. */
  hint: string | ((found: RegExpExecArray, call: string | undefined, catalog: Catalog) => string);
  /** The names that are near to the wrong one are not what is meant. */
  alone?: true;
}

export const missing = (names: string) => new RegExp(`(?:^|[ '"])(?:${names})['"]? is not defined`);

const CALLERS = 'call|call_?tool|invoke|invoke_?tool|use|use_?tool|run|run_?tool|execute|execute_?tool|request|send';

const toolsAreFunctions = (_: RegExpExecArray, call: string | undefined) =>
  `each tool is a function: await ${call ?? 'MCP.server.toolName'}({ … }); Object.keys(MCP) lists the servers, Object.keys(MCP.server) the tools of one`;

export const HABIT_RULES: readonly HintRule[] = [
  {
    pattern: new RegExp(`^TypeError: MCP(?:\\.[\\w$]+)? has no member "(?:${CALLERS})"`, 'i'),
    hint: toolsAreFunctions,
    alone: true,
  },
  {
    pattern: missing(
      '(?:use|call)_?mcp(?:_?tool)?|call_?tool|invoke_?tool|run_?tool|mcp|functions|default_api|multi_tool_use',
    ),
    hint: toolsAreFunctions,
    alone: true,
  },
  {
    pattern: /^TypeError: tools has no member "(?:list|list_?tools|get_?tools|get_?all|all|names)"/i,
    hint: 'ALL_TOOLS lists the tools of `tools`, Object.keys(MCP) the servers and Object.keys(MCP.server) the tools of one; await tools.search("what you need") finds them all',
    alone: true,
  },
  {
    pattern:
      /^TypeError: (MCP\.[\w$]+)(?:\.resources)? has no member "(?:(?:read|list|get)_?resources?|get|fetch|open)"/i,
    hint: ([, server]) =>
      `resources are read with await ${server}.resources.read({ uri }), and listed with ${server}.resources.list(), where the server has some`,
  },
  {
    pattern: /^TypeError: (MCP\.[\w$]+)(?:\.prompts)? has no member "(?:(?:get|list|use)_?prompts?|read|use|render)"/i,
    hint: ([, server]) =>
      `prompts are had with await ${server}.prompts.get({ name, arguments }), and listed with ${server}.prompts.list(), where the server has some`,
  },
  {
    pattern: missing('wait|sleep|delay'),
    hint: 'to pause: await new Promise((done) => setTimeout(done, 1000)); a program that needs long simply awaits, and answers `waiting` with a runId for the tool wait',
    alone: true,
  },
  {
    pattern: missing('exec'),
    hint: 'this is inside exec already: write its code here, in the same program',
    alone: true,
  },
  {
    pattern: /is not iterable/,
    program: /\bof\s+(?:MCP|tools|API|namespaces)\b/,
    hint: 'Object.keys(MCP) lists the servers and Object.keys(MCP.server) the tools of one; ALL_TOOLS is the array of the tools of `tools`',
  },
  {
    pattern: /^SyntaxError: unexpected token: '(?:object|undefined)'/,
    program: /JSON\.parse\(/,
    hint: 'JSON.parse was given no text: a value of a tool is an object already, and the text of an MCP result is in content[0].text',
  },
  {
    pattern: /^SyntaxError: unexpected/,
    program: /JSON\.parse\(/,
    hint: 'what JSON.parse was given is no JSON: return the text unchanged and look; where a result has isError: true, it is the message of the failure',
  },
  {
    // `const r = MCP.files.read(…)`, not `=> MCP…` and not `= await MCP…`.
    pattern: /not a function|of undefined|of null|is not iterable/,
    program: /(?:^|[^=!<>])=\s*(?:MCP|tools|namespaces)\.[\w$.]+\(/,
    hint: 'a call without await is only a promise: const result = await MCP.server.toolName({ … })',
  },
  {
    pattern: /not a function|of undefined|of null|is not iterable/,
    program: /\btools\.search\(/,
    hint: 'tools.search gives an array of { id, name, description, input, callPath? }: call what it found by its callPath, such as MCP.server.toolName({ … }), or with tools.callValue(id, { … })',
  },
];
