// The servers of another client's file, with secrets left where they are: as variables of the environment.

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
    result.servers[name] = server;
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
      const reference = /^\$\{(?:env:)?([A-Za-z_]\w*)\}$/.exec(value)?.[1];
      if (reference !== undefined) return [key, new EnvReference(`env.${reference}`)];
      if (!SECRET_NAME.test(key) || value === '') return [key, value];
      const variable = field === 'env' ? key : `${server}_${key}`;
      const name = variable
        .toUpperCase()
        .replace(/\W+/g, '_')
        .replace(/^(?=\d)/, '_');
      secrets.push({ server, where: `${field}.${key}`, variable: name });
      return [key, new EnvReference(`env.${name}`)];
    }),
  );
}
