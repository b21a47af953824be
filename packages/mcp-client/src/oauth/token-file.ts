// Keeps OAuth tokens between processes: one JSON file that only its owner can read.
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';
import { McpClientError } from '../errors.ts';
import { isRecord } from '../mcp-request.ts';

/** What is kept for one server, by its URL. */
export interface StoredAuthorization {
  tokens?: StoredOAuthTokens;
  /** How we are registered with its authorization server. */
  client?: StoredOAuthClientInformation;
  /** The port of the redirect URL that the registration names. */
  redirectPort?: number;
}

/** `codeseam/mcp-oauth.json` in the user's config folder (`XDG_CONFIG_HOME`, `APPDATA` on Windows, else `~/.config`). */
export function defaultTokenFile(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const folder = (process.platform === 'win32' ? env['APPDATA'] : env['XDG_CONFIG_HOME']) ?? join(homedir(), '.config');
  return join(folder, 'codeseam', 'mcp-oauth.json');
}

/** Files by path, so that two servers of one process never overwrite each other's tokens. */
const files = new Map<string, TokenFile>();

export function tokenFile(path: string): TokenFile {
  const file = files.get(path) ?? new TokenFile(path);
  files.set(path, file);
  return file;
}

/** Reads and writes the file; writes are whole and one after another. */
export class TokenFile {
  readonly path: string;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
  }

  async read(serverUrl: string): Promise<StoredAuthorization> {
    const entry = (await this.#readAll())[serverUrl];
    return isRecord(entry) ? (entry as StoredAuthorization) : {};
  }

  /** Changes what is kept for one server. */
  update(serverUrl: string, change: (stored: StoredAuthorization) => StoredAuthorization): Promise<void> {
    const done = this.#writing.then(async () => {
      const all = await this.#readAll();
      const stored = isRecord(all[serverUrl]) ? (all[serverUrl] as StoredAuthorization) : {};
      await this.#writeAll({ ...all, [serverUrl]: change(stored) });
    });
    this.#writing = done.catch(() => {});
    return done;
  }

  async #readAll(): Promise<Record<string, unknown>> {
    let text: string;
    try {
      await this.#keepPrivate();
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
      throw error;
    }
    try {
      const parsed: unknown = JSON.parse(text);
      if (isRecord(parsed)) return parsed;
    } catch {
      // Told below.
    }
    throw new McpClientError('INVALID_CONFIG', `${this.path} is not the JSON file of tokens that it should be`, {
      hint: 'delete it to authorize anew',
    });
  }

  /** A file that others can read is closed to them before it is used. */
  async #keepPrivate(): Promise<void> {
    if (process.platform === 'win32') return;
    const { mode } = await stat(this.path);
    if ((mode & 0o077) !== 0) await chmod(this.path, 0o600);
  }

  async #writeAll(all: Record<string, unknown>): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    const fresh = `${this.path}.${randomUUID()}`;
    try {
      await writeFile(fresh, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
      await rename(fresh, this.path);
    } catch (error) {
      await rm(fresh, { force: true });
      throw error;
    }
  }
}
