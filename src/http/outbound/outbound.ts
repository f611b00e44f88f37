import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { reachOf } from './outbound-address.ts';
import { type HopAnswer, isRedirect, type OutboundError, OutboundFault, requestOnce } from './outbound-hop.ts';

export type OutboundOptions = {
  /** The hosts that may be called, exactly: `host` or `host:port` (https), or `http://host[:port]`. */
  allowedHosts: readonly string[];
  /** The hosts among them that may be in a private network or on this machine. */
  privateHosts?: readonly string[];
  /** Of one call, redirects included. */
  timeoutMs?: number;
  /** Longest silence of the other side. */
  idleTimeoutMs?: number;
  /** Longest body, on the wire and unpacked. */
  maxBytes?: number;
  maxRedirects?: number;
  /** Every address of a host name; the system's resolver unless a test brings its own. */
  lookup?: (host: string) => Promise<LookupAddress[]>;
};

type OutboundRequest = {
  /** A POST is not redirected. */
  method?: 'GET' | 'POST';
  /** Names in lower case. Only the harmless ones follow a redirect to another host. */
  headers?: Record<string, string>;
  body?: Buffer | string;
  signal?: AbortSignal | undefined;
  /** Shorter than the usual time of a call. */
  timeoutMs?: number;
};

/** The outcome of a call: an answer of whatever status, or why there is no answer. */
export type OutboundAnswer =
  | ({ ok: true } & HopAnswer)
  | { ok: false; error: OutboundError /** One sentence; of addresses it names the host alone. */; message: string };

type Outbound = (address: string, request?: OutboundRequest) => Promise<OutboundAnswer>;

/** Headers that another host may see too; whatever else was sent may be a credential. */
const HARMLESS_HEADERS = new Set(['accept', 'accept-language', 'user-agent']);

/**
 * The only way out of the process: calls to configured hosts, at addresses that may be reached, within limits of time
 * and size. Every redirect is checked like the first address. Never throws for what the other side does; throws a
 * TypeError for a configured host that cannot be read.
 */
export function openOutbound(options: OutboundOptions): Outbound {
  const { timeoutMs = 15_000, idleTimeoutMs = 5_000, maxBytes = 8 * 2 ** 20, maxRedirects = 3 } = options;
  const lookup = options.lookup ?? ((host) => systemLookup(host, { all: true }));
  const allowed = new Set(options.allowedHosts.map(originOf));
  const mayBePrivate = new Set((options.privateHosts ?? []).map(originOf));

  /** The addresses of a host, when every one of them may be reached. */
  async function checkedAddresses(url: URL): Promise<LookupAddress[]> {
    if (!allowed.has(url.origin))
      throw new OutboundFault('host_not_allowed', `${url.host} is not among the configured hosts.`);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await lookup(host);
    if (addresses.length === 0) throw new OutboundFault('unknown_host', `${url.host} has no address.`);
    for (const { address } of addresses) {
      const reach = reachOf(address);
      if (reach === 'never' || (reach === 'private' && !mayBePrivate.has(url.origin)))
        throw new OutboundFault('address_not_allowed', `${url.host} leads to an address that may not be reached.`);
    }
    return addresses;
  }

  async function follow(start: URL, request: OutboundRequest, signal: AbortSignal): Promise<HopAnswer> {
    const { method = 'GET', body = null } = request;
    let url = start;
    let headers = request.headers ?? {};
    for (let redirects = 0; ; redirects++) {
      const addresses = await checkedAddresses(url);
      const answer = await requestOnce(url, addresses, { method, headers, body, signal, idleTimeoutMs, maxBytes });
      if (!isRedirect(answer)) return answer;
      if (method !== 'GET') throw new OutboundFault('bad_redirect', `${url.host} redirects a POST.`);
      if (redirects === maxRedirects)
        throw new OutboundFault('too_many_redirects', `${url.host} redirects more than ${maxRedirects} times.`);
      const next = parse(answer.headers.location!, url);
      headers = headersCarried(headers, url, next);
      url = next;
    }
  }

  return async (address, request = {}) => {
    const withinMs = Math.round(Math.min(timeoutMs, request.timeoutMs ?? timeoutMs));
    // Not `AbortSignal.any`: it keeps the answer until the timeout, and something in the caller's signal for every call.
    const controller = new AbortController();
    const { signal } = controller;
    const abort = (error: 'aborted' | 'timeout', message: string) =>
      controller.abort(new OutboundFault(error, message));
    const timer = setTimeout(abort, withinMs, 'timeout', `There was no whole answer within ${withinMs} ms.`);
    const giveUp = () => abort('aborted', 'The call was given up.');
    request.signal?.addEventListener('abort', giveUp);
    if (request.signal?.aborted) giveUp();
    // A lookup cannot be cut short, so the end of the time is awaited too.
    const cut = new Promise<never>((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
    );
    try {
      signal.throwIfAborted();
      const answer = (async () => follow(parse(address), request, signal))();
      return { ok: true, ...(await Promise.race([answer, cut])) };
    } catch (error) {
      return { ok: false, ...faultOf(signal.reason ?? error) };
    } finally {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', giveUp);
    }
  };
}

function originOf(host: string): string {
  const url = new URL(/^https?:\/\//.test(host) ? host : `https://${host}`);
  if (url.pathname !== '/' || url.search || url.hash || url.username || url.password)
    throw new TypeError('An outbound host is written host, host:port or http://host:port.');
  return url.origin;
}

function parse(address: string, base?: URL): URL {
  if (!URL.canParse(address, base?.href)) throw new OutboundFault('bad_address', 'The address cannot be read.');
  const url = new URL(address, base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new OutboundFault('bad_address', 'The address is neither https nor http.');
  if (url.username || url.password) throw new OutboundFault('bad_address', 'The address has credentials.');
  return url;
}

/** The headers that follow a redirect: all of them to the same origin (scheme, host and port), else the harmless ones. */
export function headersCarried(headers: Record<string, string>, from: URL, to: URL): Record<string, string> {
  if (from.origin === to.origin) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS_HEADERS.has(name.toLowerCase())));
}

/** An error in words of ours: those of sockets and resolvers contain addresses. */
function faultOf(error: unknown): { error: OutboundError; message: string } {
  if (error instanceof OutboundFault) return { error: error.error, message: error.message };
  // A header or option of the caller's that node rejects: a fault of ours, not of the other side.
  if (error instanceof TypeError) throw error;
  const code = String((error as NodeJS.ErrnoException | null)?.code ?? '');
  if (/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/.test(code))
    return { error: 'unknown_host', message: 'The host name has no address.' };
  if (/CERT|SIGNED|ERR_TLS|UNABLE_TO_/.test(code))
    return { error: 'untrusted_certificate', message: 'The host’s certificate is not to be trusted.' };
  if (/^(HPE_|Z_|ERR_)/.test(code)) return { error: 'bad_answer', message: 'The host’s answer cannot be read.' };
  return { error: 'unreachable', message: 'The connection failed.' };
}
