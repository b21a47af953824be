// Options that several commands have.
import type { OptionSpec } from '../command-line.ts';

export const CONFIG_OPTION: OptionSpec = {
  value: 'FILE',
  summary: 'cordis.yml, or a JSON file with mcpServers; default ./cordis.yml, else the built-in one',
};

export const JSON_OPTION: OptionSpec = { summary: 'print one JSON document on stdout' };
