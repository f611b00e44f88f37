import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';

/**
 * The subject of a public budget: an IPv4 address, or the /64 of an IPv6 address, since one subscriber has all of it. An
 * IPv4 address mapped into IPv6, dotted or in hex (`::ffff:cb00:7107`), is the IPv4 address.
 */
export function addressSubject(address: string): string {
  if (!ipaddr.isValid(address)) return 'address:unknown';
  const ip = ipaddr.process(address);
  return `address:${ip instanceof ipaddr.IPv6 ? network(ip.parts, 64) : ip.toString()}`;
}

/**
 * The wider networks that share a subject's budget, with how many times the budget each has: providers give a site a /56
 * or a /48, which are 256 and 65,536 subjects. None for IPv4 addresses and keys.
 */
export function networksOf(subject: string): { network: string; times: number }[] {
  const [, prefix] = /^address:(.*)::\/64$/.exec(subject) ?? [];
  if (prefix === undefined) return [];
  const parts = prefix.split(':').map((group) => Number.parseInt(group, 16));
  return [
    { network: network(parts, 56), times: 4 },
    { network: network(parts, 48), times: 16 },
  ];
}

/** `2001:db8:1:2::/64`: the first `bits` (at most 64) of an address, in its first four groups. */
function network(parts: readonly number[], bits: number): string {
  const groups = parts.slice(0, 4).map((group, i) => {
    const kept = Math.min(16, Math.max(0, bits - 16 * i));
    return (group & ((0xffff << (16 - kept)) & 0xffff)).toString(16);
  });
  return `${groups.join(':')}::/${bits}`;
}

/** Reads the sender of a request: the peer, or what trusted proxies report, the nearest hop first. */
export function addressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return (request) => request.socket.remoteAddress ?? '';
  const trust = proxyAddr.compile([...trustedProxies]);
  return (request) => withoutPort(proxyAddr(request, (address, hop) => trust(withoutPort(address), hop)));
}

/** Some proxies forward `203.0.113.7:51234` and `[2001:db8::7]:51234`. */
function withoutPort(address: string): string {
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(address) ?? [];
  return bracketed ?? dotted ?? address;
}
