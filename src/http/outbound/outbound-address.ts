import { BlockList, isIP } from 'node:net';

/**
 * The reach of an IP address: the open internet; the operator's own networks and this machine; or addresses that no
 * outbound call may reach: link-local, cloud metadata, multicast, reserved and documentation ranges.
 */
export type Reach = 'public' | 'private' | 'never';

/** Ranges of the IANA special-purpose registries (RFC 6890 and its updates), and the metadata services of clouds. */
const IPV4_NEVER = blocks('ipv4', [
  ...['0.0.0.0/8', '169.254.0.0/16', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3', '100.100.100.200/32', '168.63.129.16/32'],
]);
const IPV4_PRIVATE = blocks('ipv4', ['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']);
const IPV6_NEVER = blocks('ipv6', [
  ...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', 'fd00:ec2::254/128', 'fd20:ce::254/128'],
]);
const IPV6_PRIVATE = blocks('ipv6', ['::1/128', 'fc00::/7']);
/** The only part of IPv6 that is given out; all else is denied unless it is named above. */
const IPV6_PUBLIC = blocks('ipv6', ['2000::/3']);
/** IPv4 inside IPv6: mapped addresses and NAT64 reach what the IPv4 address inside reaches. */
const IPV4_INSIDE = blocks('ipv6', ['::ffff:0:0/96', '64:ff9b::/96']);

/** Where an IP address leads. Anything that is not an IP address is `never`. */
export function reachOf(address: string): Reach {
  const family = isIP(address);
  if (family === 4) {
    if (IPV4_NEVER.check(address)) return 'never';
    return IPV4_PRIVATE.check(address) ? 'private' : 'public';
  }
  // A zone (`%eth0`) belongs to link-local addresses only.
  if (family !== 6 || address.includes('%')) return 'never';
  if (IPV4_INSIDE.check(address, 'ipv6')) return reachOf(innerIPv4(address));
  if (IPV6_NEVER.check(address, 'ipv6')) return 'never';
  if (IPV6_PRIVATE.check(address, 'ipv6')) return 'private';
  return IPV6_PUBLIC.check(address, 'ipv6') ? 'public' : 'never';
}

/** The last 32 bits of an IPv6 address, in IPv4 notation; URL gives the one canonical spelling to read them from. */
function innerIPv4(address: string): string {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [high = 0, low = 0] = canonical
    .split(':')
    .slice(-2)
    .map((group) => Number.parseInt(group, 16) || 0);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function blocks(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network, bits] = range.split('/');
    list.addSubnet(network!, Number(bits), family);
  }
  return list;
}
