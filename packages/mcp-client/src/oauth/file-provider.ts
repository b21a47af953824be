// The SDK's OAuth provider over the token file: tokens and registrations outlive the process, a person is asked once.
import { randomUUID } from 'node:crypto';
import type { OAuthClientMetadata, OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/client';
import { McpClientError } from '../errors.ts';
import type { OAuthConfig } from '../server-config.ts';
import type { AskToAuthorize } from './authorize.ts';
import { type LoopbackCallback, listenForCallback } from './loopback-callback.ts';
import type { StoredAuthorization, TokenFile } from './token-file.ts';

export interface FileOAuthProviderOptions {
  server: string;
  /** The server's URL: what its tokens are kept under. */
  url: string;
  oauth: OAuthConfig;
  file: TokenFile;
  /** The port of the redirect URL. */
  port: number;
  ask: AskToAuthorize | undefined;
}

export class FileOAuthProvider implements OAuthClientProvider {
  readonly clientMetadataUrl?: string;
  readonly #options: FileOAuthProviderOptions;
  readonly #state = randomUUID();
  #callback: LoopbackCallback | undefined;
  #verifier: string | undefined;
  #discovery: OAuthDiscoveryState | undefined;

  constructor(options: FileOAuthProviderOptions) {
    this.#options = options;
    const { clientMetadataUrl } = options.oauth;
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
  }

  /** Where the browser's answer comes in, while a person is being asked. */
  get callback(): LoopbackCallback | undefined {
    return this.#callback;
  }

  stopAsking(): void {
    this.#callback?.close();
    this.#callback = undefined;
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
    return this.#state;
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
    return this.#update((stored) => ({ ...stored, client }));
  }

  async tokens() {
    return (await this.#stored()).tokens;
  }

  saveTokens(tokens: NonNullable<StoredAuthorization['tokens']>): Promise<void> {
    return this.#update((stored) => ({ ...stored, tokens }));
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    const { ask, server, port } = this.#options;
    if (ask === undefined) {
      throw new McpClientError(
        'UNAUTHORIZED',
        `"${server}" wants a person to authorize, and nobody can be asked here`,
        {
          server,
          hint: `${url.href} is the page to open; give an onAuthorize function, or a token by headers`,
        },
      );
    }
    // Who is being asked already is not asked twice.
    if (this.#callback !== undefined) return;
    try {
      this.#callback = await listenForCallback(port, this.#state);
    } catch (error) {
      const message = `the redirect port ${port} cannot be listened on: ${(error as Error).message}`;
      const hint = 'give oauth.redirectPort another value, or leave it out';
      throw new McpClientError('CONNECT_FAILED', message, { server, cause: error, hint });
    }
    ask({ server, url: url.href });
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    this.#discovery = discovery;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  saveCodeVerifier(verifier: string): void {
    // The page that is open belongs to the verifier that was made for it.
    if (this.#callback === undefined) this.#verifier = verifier;
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
