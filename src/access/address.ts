import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';

/**
 * Whom a public budget is kept for: an IPv4 address, or the /64 of an IPv6 address, since one subscriber has all of
 * it. An IPv4 address in IPv6 dress (`::ffff:203.0.113.7`) is the IPv4 address.
 */
export function addressSubject(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%.*$/, '');
  if (isIPv4(plain)) return `address:${plain}`;
  return isIPv6(plain) ? `address:${prefix64(plain)}` : 'address:unknown';
}

/** `2001:db8:1:2::/64` of any spelling of an address in it. */
function prefix64(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  // A dotted quad at the end fills two groups; only the first four matter here.
  const groupsAfter = after.length + (after.at(-1)?.includes('.') ? 1 : 0);
  const zeros = tail === undefined ? 0 : 8 - before.length - groupsAfter;
  const groups = [...before, ...Array<string>(Math.max(0, zeros)).fill('0'), ...after].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** Reads who sent a request: the peer, or what trusted proxies say of it, the nearest hop first. */
export function addressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return (request) => request.socket.remoteAddress ?? '';
  const trust = proxyAddr.compile([...trustedProxies]);
  return (request) => proxyAddr(request, trust);
}
