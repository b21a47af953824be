// Every command with its options and examples, in the order of the help.
import type { CommandSpec, OptionSpec } from '../command-line.ts';

const CONFIG_OPTION: OptionSpec = {
  value: 'FILE',
  summary: 'cordis.yml, or a JSON file with mcpServers; default ./cordis.yml, else the built-in one',
};

const JSON_OPTION: OptionSpec = { summary: 'print one JSON document on stdout' };

const RUN_OPTIONS = {
  config: CONFIG_OPTION,
  timeout: { value: 'MS', summary: 'end the program after that long', range: { min: 1, max: 2_147_483_647 } },
  full: { summary: 'print values and output whole, where they are cut to what a model may be shown' },
  'no-wait': { summary: 'do not wait for a program that is suspended: print its run id and end it (exit code 1)' },
  trace: { value: 'FILE', summary: 'record the program, its calls and its result as JSON lines' },
  json: JSON_OPTION,
} as const;

export const commands: readonly CommandSpec[] = [
  {
    name: 'init',
    summary: 'write a commented cordis.yml, with the MCP servers of another client if you name its file',
    positionals: [],
    options: {
      from: { value: 'FILE', summary: 'a JSON file with mcpServers, as other MCP clients have it' },
      out: { value: 'FILE', summary: 'where to write; default ./cordis.yml' },
      force: { summary: 'replace a file that is there' },
    },
    examples: ['codeseam init', 'codeseam init --from ~/.config/client/mcp.json'],
    load: () => import('./init.ts'),
  },
  {
    name: 'exec',
    summary: 'run one program against the configured tools',
    positionals: ['[FILE]'],
    options: {
      code: { value: 'TEXT', summary: 'the program itself, instead of a FILE or - for stdin' },
      language: {
        value: 'LANGUAGE',
        summary: 'of the program; default: by the name of FILE, else found out',
        choices: ['ts', 'js'],
      },
      ...RUN_OPTIONS,
    },
    examples: [
      `codeseam exec --code 'return await tools.search("read a file")'`,
      "codeseam exec --code 'return Object.keys(MCP)'",
      'codeseam exec program.ts --config cordis.yml --json',
      "echo 'return 6 * 7' | codeseam exec -",
    ],
    load: () => import('./exec.ts'),
  },
  {
    name: 'wait',
    summary: 'go on with a run that an earlier process suspended (needs a durable store)',
    positionals: ['RUN_ID'],
    options: RUN_OPTIONS,
    examples: ['codeseam wait run_4f0c --config cordis.yml'],
    load: () => import('./wait.ts'),
  },
  {
    name: 'serve',
    summary: 'offer exec and wait as an MCP server, on stdio or over HTTP',
    positionals: [],
    options: {
      config: CONFIG_OPTION,
      http: {
        value: 'HOST:PORT',
        summary:
          'streamable HTTP instead of stdio, at http://HOST:PORT/mcp; port 0 takes a free one. Clients must send the token of CODESEAM_TOKEN as a bearer token if it is set; an address that other machines reach needs it',
      },
      'allow-host': {
        value: 'NAMES',
        summary: 'with --http: names by which clients may reach it, besides its own; several with commas',
      },
      watch: { summary: 'take over changes of the config file while it runs' },
    },
    examples: [
      'codeseam serve',
      'codeseam serve --http 127.0.0.1:8123 --config cordis.yml',
      'CODESEAM_TOKEN=a-long-random-text codeseam serve --http 0.0.0.0:8123',
    ],
    load: () => import('./serve.ts'),
  },
  {
    name: 'types',
    summary: 'write the declarations of MCP tools, of a config or of a file',
    positionals: [],
    options: {
      config: CONFIG_OPTION,
      from: {
        value: 'FILE',
        summary: 'JSON instead of a config: {server: {tools, resources?, prompts?}}, or one tools/list result',
      },
      server: { value: 'NAME', summary: 'with --from: the name of the one server; default: the file name' },
      out: { value: 'DIR', summary: 'the folder to write to; default: print on stdout' },
      check: { summary: 'compile the declarations with tsc --strict and report' },
    },
    examples: ['codeseam types --out types', 'codeseam types --from tools.json --server github --check'],
    load: () => import('./types.ts'),
  },
  {
    name: 'inspect',
    summary: 'show what the model would see in each mode, with token counts, and the catalog',
    positionals: [],
    options: {
      config: CONFIG_OPTION,
      json: JSON_OPTION,
      html: { value: 'FILE', summary: 'write a page that shows all of it and needs no network' },
      trace: { value: 'FILE', summary: 'with --html: show the record that exec --trace made as a timeline' },
    },
    examples: [
      'codeseam inspect',
      'codeseam inspect --config cordis.yml --json',
      'codeseam inspect --html inspect.html --trace run.jsonl',
    ],
    load: () => import('./inspect.ts'),
  },
  {
    name: 'search',
    summary: 'find tools by words',
    positionals: ['QUERY'],
    options: {
      config: CONFIG_OPTION,
      limit: { value: 'N', summary: 'how many at most', range: { min: 1, max: 50 } },
      json: JSON_OPTION,
    },
    examples: ["codeseam search 'read a file' --limit 5", 'codeseam search sum --config cordis.yml --json'],
    load: () => import('./search.ts'),
  },
  {
    name: 'call',
    summary: 'call one tool, with policy, approvals and hooks',
    positionals: ['TOOL'],
    options: {
      input: { value: 'JSON', summary: 'the argument object, or - for stdin; default {}' },
      config: CONFIG_OPTION,
      json: JSON_OPTION,
    },
    examples: [
      `codeseam call MCP.everything.getSum --input '{"a":1,"b":2}'`,
      `codeseam call mcp:everything:get-sum --input '{"a":1,"b":2}' --json`,
    ],
    load: () => import('./call.ts'),
  },
];
