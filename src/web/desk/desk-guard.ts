import type { IncomingHttpHeaders } from 'node:http';

/** Why a request is not answered: a status, and what to do in a sentence. */
export type DeskDenial = { status: 403 | 421; message: string };

type DeskRequest = { method: string; headers: IncomingHttpHeaders; remoteAddress: string | undefined };

const LOOPBACK = /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/;
/** Headers of proxies: what they forward may come from anywhere. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/**
 * Checks where a request is from, before anything else of it is read; null for one that may go on. `port` is the desk's own:
 * a name that an attacker has resolve to this machine (DNS rebinding) is in `Host`. A form has to come from a page of
 * the desk: by `Origin`, which browsers send with every form, and by `Sec-Fetch-Site` where they send that too.
 */
export function deskDenial({ method, headers, remoteAddress }: DeskRequest, port: number): DeskDenial | null {
  if (!LOOPBACK.test(remoteAddress ?? ''))
    return { status: 403, message: 'The desk answers this machine only; from another one, forward the port with ssh.' };
  if (FORWARDED.some((name) => headers[name] !== undefined))
    return { status: 403, message: 'The desk does not answer through a proxy: open it on its own address.' };
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`)
    return { status: 421, message: 'The desk is at the address that it printed, and at no other name.' };
  if (method === 'GET' || method === 'HEAD') return null;
  if (origin !== `http://${host}` || (site !== undefined && site !== 'same-origin'))
    return { status: 403, message: 'This form was not sent by a page of the desk: open the desk and send it there.' };
  return null;
}

/** The value of the desk's cookie. */
export function deskCookieIn({ cookie = '' }: IncomingHttpHeaders): string | undefined {
  for (const pair of cookie.split(';')) {
    const [name, value] = pair.trim().split('=');
    if (name === DESK_COOKIE) return value;
  }
  return undefined;
}

export const DESK_COOKIE = 'mintmark-desk';

/** Headers of every answer: nothing runs, nothing frames it, nothing is kept, no address of it leaves it. */
export const DESK_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // With `no-referrer` browsers send forms with `Origin: null`.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-store',
} as const;
