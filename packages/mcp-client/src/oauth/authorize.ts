// OAuth for one HTTP server: the SDK's provider over the token file, and asking a person where there is no token.
import { randomUUID } from 'node:crypto';
import {
  ClientCredentialsProvider,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/client';
import { McpClientError } from '../errors.ts';
import type { HttpServerConfig, OAuthConfig } from '../server-config.ts';
import { type LoopbackCallback, listenForCallback } from './loopback-callback.ts';
import { defaultTokenFile, type StoredAuthorization, TokenFile } from './token-file.ts';

/** Asks a person to open a URL in a browser. */
export type AskToAuthorize = (request: { server: string; url: string }) => void;

/** What one attempt to connect needs of OAuth. */
export interface Authorization {
  readonly provider: OAuthClientProvider;
  /** Whether a person has been sent to the browser. */
  readonly asked: boolean;
  /** The answer of the browser. */
  readonly answer: Promise<URLSearchParams>;
  close(): void;
}

/** Token files by path, so that two servers of one process never overwrite each other's tokens. */
const files = new Map<string, TokenFile>();

function tokenFile(path: string): TokenFile {
  const file = files.get(path) ?? new TokenFile(path);
  files.set(path, file);
  return file;
}

/** Makes the provider; for the interactive grant it listens on loopback until `close`. */
export async function openAuthorization(
  server: string,
  { url }: HttpServerConfig,
  oauth: OAuthConfig,
  ask: AskToAuthorize | undefined,
): Promise<Authorization> {
  if (oauth.grant === 'client_credentials') return credentialsOnly(oauth);
  const file = tokenFile(oauth.tokensFile ?? defaultTokenFile());
  const stored = await file.read(url);
  const state = randomUUID();
  const callback = await listen(server, oauth, stored, state);
  if (stored.redirectPort !== callback.port && oauth.clientId === undefined) {
    // A registration for another redirect URL would be refused.
    await file.update(url, ({ client: _client, ...rest }) => ({ ...rest, redirectPort: callback.port }));
  }
  const provider = new FileProvider({ server, url, oauth, file, state, port: callback.port, ask });
  return {
    provider,
    get asked() {
      return provider.asked;
    },
    answer: callback.answer,
    close: () => callback.close(),
  };
}

function credentialsOnly({ clientId, clientSecret, scope, issuer }: OAuthConfig): Authorization {
  const provider = new ClientCredentialsProvider({
    clientId: clientId!,
    clientSecret: clientSecret!,
    clientName: 'codeseam',
    ...(scope === undefined ? {} : { scope }),
    ...(issuer === undefined ? {} : { expectedIssuer: issuer }),
  });
  return { provider, asked: false, answer: new Promise(() => {}), close: () => {} };
}

async function listen(
  server: string,
  oauth: OAuthConfig,
  stored: StoredAuthorization,
  state: string,
): Promise<LoopbackCallback> {
  if (oauth.redirectPort !== 0) {
    return listenForCallback(oauth.redirectPort, state).catch((error: Error) => {
      throw new McpClientError(
        'CONNECT_FAILED',
        `the redirect port ${oauth.redirectPort} cannot be listened on: ${error.message}`,
        {
          server,
          cause: error,
          hint: 'give oauth.redirectPort another value, or leave it out',
        },
      );
    });
  }
  // The port of the last registration, if it is free.
  return listenForCallback(stored.redirectPort ?? 0, state).catch(() => listenForCallback(0, state));
}

interface FileProviderOptions {
  server: string;
  url: string;
  oauth: OAuthConfig;
  file: TokenFile;
  state: string;
  port: number;
  ask: AskToAuthorize | undefined;
}

class FileProvider implements OAuthClientProvider {
  asked = false;
  readonly #options: FileProviderOptions;
  #verifier: string | undefined;
  #discovery: OAuthDiscoveryState | undefined;

  constructor(options: FileProviderOptions) {
    this.#options = options;
  }

  get redirectUrl(): string {
    return `http://127.0.0.1:${this.#options.port}/callback`;
  }

  get clientMetadata(): OAuthClientMetadata {
    const { scope, clientSecret } = this.#options.oauth;
    return {
      client_name: 'codeseam',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: clientSecret === undefined ? 'none' : 'client_secret_post',
      ...(scope === undefined ? {} : { scope }),
    };
  }

  state(): string {
    return this.#options.state;
  }

  async clientInformation() {
    const { clientId, clientSecret, issuer } = this.#options.oauth;
    if (clientId === undefined) return (await this.#stored()).client;
    return {
      client_id: clientId,
      ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
      ...(issuer === undefined ? {} : { issuer }),
    };
  }

  saveClientInformation(client: NonNullable<StoredAuthorization['client']>): Promise<void> {
    return this.#update((stored) => ({ ...stored, client, redirectPort: this.#options.port }));
  }

  async tokens() {
    return (await this.#stored()).tokens;
  }

  saveTokens(tokens: NonNullable<StoredAuthorization['tokens']>): Promise<void> {
    return this.#update((stored) => ({ ...stored, tokens }));
  }

  redirectToAuthorization(url: URL): void {
    const { ask, server } = this.#options;
    if (ask === undefined) {
      throw new McpClientError(
        'UNAUTHORIZED',
        `"${server}" wants a person to authorize, and nobody can be asked here`,
        {
          server,
          hint: `open ${url.href} is what would be asked; give an onAuthorize function, or tokens by headers`,
        },
      );
    }
    this.asked = true;
    ask({ server, url: url.href });
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    this.#discovery = discovery;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier ?? '';
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    if (scope === 'all' || scope === 'discovery') this.#discovery = undefined;
    return this.#update(({ tokens, client, ...rest }) => ({
      ...rest,
      ...(scope === 'all' || scope === 'tokens' || tokens === undefined ? {} : { tokens }),
      ...(scope === 'all' || scope === 'client' || client === undefined ? {} : { client }),
    }));
  }

  #stored(): Promise<StoredAuthorization> {
    return this.#options.file.read(this.#options.url);
  }

  #update(change: (stored: StoredAuthorization) => StoredAuthorization): Promise<void> {
    return this.#options.file.update(this.#options.url, change);
  }
}
