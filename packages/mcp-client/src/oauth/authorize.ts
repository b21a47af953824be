// OAuth for one HTTP server: who gives its tokens, and waiting for a person where there are none.
import { ClientCredentialsProvider, type OAuthClientProvider } from '@modelcontextprotocol/client';
import { raceAbort } from '../call-lane.ts';
import { McpClientError } from '../errors.ts';
import type { HttpClientTransport } from '../http-transport.ts';
import type { HttpServerConfig, OAuthConfig } from '../server-config.ts';
import { FileOAuthProvider } from './file-provider.ts';
import { freeLoopbackPort } from './loopback-callback.ts';
import { defaultTokenFile, tokenFile } from './token-file.ts';

/** Asks a person to open a URL in a browser. */
export type AskToAuthorize = (request: { server: string; url: string }) => void;

/** How long a person may take to authorize. */
const AUTHORIZE_MS = 10 * 60_000;

/** What a connection needs of OAuth while it lives. */
export interface Authorization {
  readonly provider: OAuthClientProvider;
  /** Whether a person has been sent to the browser and has not come back yet. */
  readonly asking: boolean;
  /**
   * Waits for the browser's answer and trades it for tokens. Rejects with `UNAUTHORIZED` where that fails or takes over
   * ten minutes, and with the signal's reason.
   */
  finish(transport: HttpClientTransport, signal: AbortSignal): Promise<void>;
  close(): void;
}

export async function openAuthorization(
  server: string,
  { url }: HttpServerConfig,
  oauth: OAuthConfig,
  ask: AskToAuthorize | undefined,
): Promise<Authorization> {
  if (oauth.grant === 'client_credentials') return withoutPerson(oauth);
  const file = tokenFile(oauth.tokensFile ?? defaultTokenFile());
  const stored = await file.read(url);
  const port = oauth.redirectPort !== 0 ? oauth.redirectPort : await freeLoopbackPort(stored.redirectPort ?? 0);
  if (stored.redirectPort !== port) {
    // A registration for another redirect URL would be refused.
    await file.update(url, ({ client: _client, ...rest }) => ({ ...rest, redirectPort: port }));
  }
  const provider = new FileOAuthProvider({ server, url, oauth, file, port, ask });
  let finishing: Promise<void> | undefined;
  return {
    provider,
    get asking() {
      return provider.callback !== undefined;
    },
    finish(transport, signal) {
      // Calls that meet the same refusal wait for the same person.
      finishing ??= finish(server, provider, transport, signal).finally(() => {
        finishing = undefined;
        provider.stopAsking();
      });
      return raceAbort(finishing, signal);
    },
    close: () => provider.stopAsking(),
  };
}

async function finish(
  server: string,
  provider: FileOAuthProvider,
  transport: HttpClientTransport,
  signal: AbortSignal,
): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(AUTHORIZE_MS)]);
  try {
    const answer = await raceAbort(provider.callback!.answer, limit);
    await transport.finishAuth(answer);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const message = `authorizing with "${server}" failed: ${(error as Error).message}`;
    throw new McpClientError('UNAUTHORIZED', message, { server, cause: error });
  }
}

function withoutPerson({ clientId, clientSecret, scope, issuer }: OAuthConfig): Authorization {
  const provider = new ClientCredentialsProvider({
    clientId: clientId!,
    clientSecret: clientSecret!,
    clientName: 'codeseam',
    ...(scope === undefined ? {} : { scope }),
    ...(issuer === undefined ? {} : { expectedIssuer: issuer }),
  });
  return { provider, asking: false, finish: async () => {}, close: () => {} };
}
