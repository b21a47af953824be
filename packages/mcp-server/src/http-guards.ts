// Who may talk to the front over HTTP: checks made before anything of a request is read. All of them fail closed.
import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname } from 'node:os';

export interface HttpGuardOptions {
  /** The address that is listened on. */
  host: string;
  port: number;
  token?: string;
  /** Further values of the Host header, with its port where it has one. */
  allowedHosts?: readonly string[];
  /** Further values of the Origin header (`https://app.example`). */
  allowedOrigins?: readonly string[];
}

/** Why a request may not go on. */
export interface Refusal {
  status: number;
  message: string;
  headers?: Record<string, string>;
}

export interface HttpGuard {
  /** The names by which it is asked, and the page that asks. A page whose own name was made to point here (DNS rebinding) sends that name. */
  checkNames(host: string | undefined, origin: string | undefined): Refusal | undefined;
  checkToken(authorization: string | undefined): Refusal | undefined;
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** Whether an address is reached from this machine alone; others need a token. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** Listened on at every address of the machine. */
function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || host === '[::]';
}

/** A page can be made to send any name that its owner registers, but no bare address of somebody else. */
function isAddressWithPort(header: string, port: number): boolean {
  const [, ipv6, ipv4, given = '80'] = /^(?:\[([0-9a-f:.]+)\]|([\d.]+))(?::(\d+))?$/i.exec(header) ?? [];
  return Number(given) === port && isIP(ipv6 ?? ipv4 ?? '') === (ipv6 === undefined ? 4 : 6);
}

/** A host as it stands in a URL: IPv6 addresses in brackets. */
export function urlHost(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

export function createHttpGuard({
  host,
  port,
  token,
  allowedHosts = [],
  allowedOrigins = [],
}: HttpGuardOptions): HttpGuard {
  const names = isLoopback(host)
    ? LOOPBACK_NAMES
    : isWildcard(host)
      ? [...LOOPBACK_NAMES, hostname()]
      : [urlHost(host)];
  const hosts = lowerSet([
    ...names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])),
    ...allowedHosts,
  ]);
  const origins = lowerSet([
    ...names.map((name) => `http://${name}${port === 80 ? '' : `:${port}`}`),
    ...allowedOrigins,
  ]);
  const wanted = token === undefined ? undefined : digest(`Bearer ${token}`);
  return {
    checkNames(hostHeader, origin) {
      const isServed =
        hostHeader !== undefined &&
        (hosts.has(hostHeader.toLowerCase()) || (isWildcard(host) && isAddressWithPort(hostHeader, port)));
      if (!isServed) {
        return { status: 403, message: `the host ${JSON.stringify(hostHeader ?? '')} is not served here` };
      }
      if (origin !== undefined && !origins.has(origin.toLowerCase())) {
        return { status: 403, message: `pages of ${JSON.stringify(origin)} may not call this server` };
      }
      return undefined;
    },
    checkToken(authorization) {
      if (wanted === undefined || timingSafeEqual(wanted, digest(authorization ?? ''))) return undefined;
      return { status: 401, message: 'a bearer token is needed', headers: { 'www-authenticate': 'Bearer' } };
    },
  };
}

/** What a browser must be told before it lets a page of an allowed origin call. */
export function corsHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-headers':
      'authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id',
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-expose-headers': 'mcp-session-id',
    vary: 'origin',
  };
}

/** Equal lengths for the comparison in constant time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function lowerSet(values: readonly string[]): Set<string> {
  return new Set(values.map((value) => value.toLowerCase()));
}
