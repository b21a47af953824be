// The text of a new cordis.yml.
import { type ScalarTag, stringify } from 'yaml';
import { EnvReference } from './import-servers.ts';

const HEAD = `# What codeseam runs: one plugin a row. codeseam inspect shows what comes of it.

# The registry of tools. mode: native shows every schema to the model, code only exec and wait, both shows both.
- id: tools
  name: '@codeseam/tools'
  config: { mode: code, transport: exec }

# Where programs run. Another runtime is another name in this row: '@codeseam/code-runtime-worker' for programs you trust.
- id: runtime
  name: '@codeseam/code-runtime-quickjs'

# Small domain APIs that plugins build over their tools.
- id: namespaces
  name: '@codeseam/namespaces'

# exec and wait. timeoutMs is how long one of their calls may hold the model's turn.
- id: code-mode
  name: '@codeseam/code-mode'
  config: { enabled: true, timeoutMs: 10000 }
`;

const EXAMPLE = `
# MCP servers, one row each, so that one that fails is alone. A secret is taken from the environment:
# env: { API_TOKEN: !!js env.API_TOKEN }
#- id: mcp-files
#  name: '@codeseam/mcp-client'
#  config:
#    servers:
#      files: { command: npx, args: [-y, '@modelcontextprotocol/server-filesystem', .] }
`;

const referenceTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:js',
  identify: (value) => value instanceof EnvReference,
  resolve: (source) => new EnvReference(source),
  stringify: (item) => (item.value as EnvReference).expression,
};

/** A commented config with one row for each server. */
export function configText(servers: Readonly<Record<string, Readonly<Record<string, unknown>>>>): string {
  const rows = Object.entries(servers).map(([name, given]) => {
    const { disabled, ...server } = given;
    const row = [
      {
        id: `mcp-${name}`,
        name: '@codeseam/mcp-client',
        // The row is what is off: the expressions of an active row are asked for, whatever its server says.
        ...(disabled === true ? { disabled } : {}),
        config: { servers: { [name]: server } },
      },
    ];
    return `\n${stringify(row, { customTags: [referenceTag], lineWidth: 0 })}`;
  });
  return rows.length === 0
    ? HEAD + EXAMPLE
    : `${HEAD}\n# MCP servers, one row each, so that one that fails is alone.${rows.join('')}`;
}
