// The servers of another client's file, with secrets left where they are: as variables of the environment.

import { expressionOfPlaces, replacePlaces } from './variable-places.ts';

/** A value that the written config takes from the environment. */
export class EnvReference {
  /** What `!!js` evaluates. */
  readonly expression: string;
  constructor(expression: string) {
    this.expression = expression;
  }
}

export interface ImportedServers {
  servers: Record<string, Record<string, unknown>>;
  /** What was not copied, and which variable it is read from now. */
  secrets: { server: string; where: string; variable: string }[];
}

const SECRET_NAME = /token|secret|passw|api[-_]?key|apikey|credential|private|auth/i;
/** Fields that a server of ours has; others of foreign clients are left out. */
const FIELDS = ['command', 'args', 'env', 'cwd', 'url', 'type', 'headers', 'disabled'];

/** Copies the servers, replacing what looks like a secret by a reference to the environment. */
export function importServers(given: Readonly<Record<string, unknown>>): ImportedServers {
  const result: ImportedServers = { servers: {}, secrets: [] };
  for (const [name, settings] of Object.entries(given)) {
    if (typeof settings !== 'object' || settings === null) continue;
    const server = Object.fromEntries(Object.entries(settings).filter(([field]) => FIELDS.includes(field)));
    for (const field of ['env', 'headers']) {
      if (typeof server[field] === 'object' && server[field] !== null) {
        server[field] = withoutSecrets(name, field, server[field] as Record<string, unknown>, result.secrets);
      }
    }
    if (Array.isArray(server.args)) server.args = argsWithoutSecrets(name, server.args, result.secrets);
    if (typeof server.url === 'string' && expressionOfPlaces(server.url) === undefined && hasSecret(server.url)) {
      server.url = secretAt(name, 'url', 'url', result.secrets);
    }
    result.servers[name] = replacePlaces(server, (expression) => new EnvReference(expression)) as Record<
      string,
      unknown
    >;
  }
  return result;
}

function withoutSecrets(
  server: string,
  field: string,
  values: Readonly<Record<string, unknown>>,
  secrets: ImportedServers['secrets'],
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      if (typeof value !== 'string') return [key, value];
      // What comes from the environment already is no secret of the file.
      if (!SECRET_NAME.test(key) || value === '' || expressionOfPlaces(value) !== undefined) return [key, value];
      const where = `${field}.${key}`;
      return [key, secretAt(server, where, key, secrets, field === 'env' ? key : undefined)];
    }),
  );
}

/** `--token=x`, the word after `--token`, and addresses that carry a password or a key. */
function argsWithoutSecrets(server: string, args: readonly unknown[], secrets: ImportedServers['secrets']): unknown[] {
  return args.map((arg, index) => {
    if (typeof arg !== 'string') return arg;
    const where = `args.${index}`;
    const [, flag] = /^(--?[\w-]+=)./.exec(arg) ?? [];
    if (expressionOfPlaces(arg) !== undefined) return arg;
    if (flag !== undefined && SECRET_NAME.test(flag)) {
      const { expression } = secretAt(server, where, flag, secrets);
      // In brackets, since a YAML scalar that begins with a quote ends at the next one.
      return new EnvReference(`('${flag}' + ${expression})`);
    }
    const before = args[index - 1];
    const isValueOfFlag = typeof before === 'string' && /^--?[\w-]+$/.test(before) && SECRET_NAME.test(before);
    if (isValueOfFlag && !arg.startsWith('-')) return secretAt(server, where, before, secrets);
    return hasSecret(arg) ? secretAt(server, where, where, secrets) : arg;
  });
}

/** Whether an address, or a text that holds one, carries a password or a parameter named like a secret. */
function hasSecret(text: string): boolean {
  if (!/^(?:--?[\w-]+=)?[a-z][a-z0-9+.-]*:\/\//i.test(text)) return false;
  if (/:\/\/[^/@\s]*:[^/@\s]+@/.test(text)) return true;
  return [...text.matchAll(/[?&#]([^=&]+)=[^&]+/g)].some(
    ([, name]) => SECRET_NAME.test(name!) || /^(?:key|sig)$/i.test(name!),
  );
}

function secretAt(
  server: string,
  where: string,
  name: string,
  secrets: ImportedServers['secrets'],
  given?: string,
): EnvReference {
  const variable = (given ?? `${server}_${name.replace(/^-+|=$/g, '')}`)
    .toUpperCase()
    .replace(/\W+/g, '_')
    .replace(/^(?=\d)/, '_');
  secrets.push({ server, where, variable });
  return new EnvReference(`env.${variable}`);
}
