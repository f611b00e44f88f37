import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressReader, addressSubject, networksOf } from '../../src/access/address.ts';

describe('the subject of a budget', () => {
  test.each([
    ['203.0.113.7', 'address:203.0.113.7'],
    ['::ffff:203.0.113.7', 'address:203.0.113.7'],
    ['2001:DB8::1', 'address:2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', 'address:2001:db8:1:2::/64'],
    ['::1', 'address:0:0:0:0::/64'],
    ['fe80::1%eth0', 'address:fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', 'address:64:ff9b:0:0::/64'],
    ['::a:b:c:d:192.0.2.1', 'address:0:0:a:b::/64'],
    ['2001:db8::', 'address:2001:db8:0:0::/64'],
    ['::FFFF:203.0.113.7%eth0', 'address:203.0.113.7'],
    ['1::ffff:2.0.2.1', 'address:1:0:0:0::/64'],
    ['0:0:0:9:0:0:192.0.2.1', 'address:0:0:0:9::/64'],
    ['::ffff:cb00:7107', 'address:203.0.113.7'],
    ['2001:db8:1:2:3:4:1.2.3.4', 'address:2001:db8:1:2::/64'],
    ['::1.2.3.4', 'address:1.2.3.4'],
    ['1:2::1.2.3.4', 'address:1:2:0:0::/64'],
    ['nonsense', 'address:unknown'],
    ['203.0.113.7:80', 'address:unknown'],
    ['', 'address:unknown'],
  ])('%s is %s', (address, subject) => {
    expect(addressSubject(address)).toBe(subject);
  });

  test('is the /64 of an IPv6 address, however it is spelled', () => {
    const group = fc.oneof(fc.constant(0), fc.nat(0xffff));
    fc.assert(fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), fc.nat(7), fc.nat(8), fc.boolean(), spell), {
      numRuns: 500,
    });
    function spell(groups: number[], from: number, count: number, isDotted: boolean) {
      const to = Math.min(8, from + count);
      // The last two groups may be written as an IPv4 address, one run of zeros as `::`.
      const zeros = groups.map((value, i) => (i >= from && i < to ? 0 : value));
      // An IPv4 address in one of its two IPv6 spellings is another subject.
      if (zeros.slice(0, 5).every((value) => value === 0) && (zeros[5] === 0xffff || zeros[5] === 0)) return;
      const hex = zeros.map((value) => value.toString(16));
      const quad = zeros
        .slice(6)
        .flatMap((value) => [value >> 8, value & 255])
        .join('.');
      const written = isDotted && to <= 6 ? [...hex.slice(0, 6), quad] : hex;
      const text =
        to > from ? `${written.slice(0, from).join(':')}::${written.slice(to).join(':')}` : written.join(':');
      expect(addressSubject(text.toUpperCase()), text).toBe(`address:${hex.slice(0, 4).join(':')}::/64`);
    }
  });
});

describe('the networks that share a budget', () => {
  test('are the /56 and the /48 of an IPv6 address, at four and sixteen times', () => {
    expect(networksOf(addressSubject('2001:db8:7:12ff::1'))).toEqual([
      { network: '2001:db8:7:1200::/56', times: 4 },
      { network: '2001:db8:7:0::/48', times: 16 },
    ]);
  });

  test.each(['address:203.0.113.7', 'address:unknown', 'key:mk_1', 'key:address:1:2:3:4::/64'])(
    'are not addresses: %s',
    (subject) => expect(networksOf(subject)).toEqual([]),
  );
});

describe('the sender of a request', () => {
  const sentBy = (trusted: string[], remoteAddress: string | undefined, forwarded?: string) => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const socket = { remoteAddress };
    return addressReader(trusted)({ headers, socket, connection: socket } as unknown as IncomingMessage);
  };

  test('is the peer, whatever it claims, where no proxy is trusted', () => {
    expect(sentBy([], '203.0.113.9', '198.51.100.1')).toBe('203.0.113.9');
    expect(sentBy([], undefined)).toBe('');
  });

  test('is the nearest address that trusted proxies report and that is not one of them', () => {
    const trusted = ['10.0.0.0/8', '192.0.2.1'];
    expect(sentBy(trusted, '10.0.0.5', '198.51.100.1')).toBe('198.51.100.1');
    expect(sentBy(trusted, '192.0.2.1', '6.6.6.6, 198.51.100.1, 10.0.0.9')).toBe('198.51.100.1');
    expect(sentBy(trusted, '203.0.113.9', '198.51.100.1')).toBe('203.0.113.9');
    expect(sentBy(trusted, '10.0.0.5', '198.51.100.1:443, 10.0.0.9:80')).toBe('198.51.100.1');
    expect(sentBy(trusted, '10.0.0.5', '[2001:db8::7]:443')).toBe('2001:db8::7');
    expect(sentBy(trusted, '10.0.0.5', '[2001:db8::7]')).toBe('2001:db8::7');
  });

  test('is read without its port, whatever the number of its digits, and without tabs and spaces around it', () => {
    expect(sentBy(['10.0.0.0/8'], '10.0.0.5', '198.51.100.173:51234')).toBe('198.51.100.173');
    expect(sentBy(['10.0.0.0/8'], '10.0.0.5', '198.51.100.7,\t10.0.0.9')).toBe('198.51.100.7');
    expect(sentBy(['10.0.0.0/8'], '10.0.0.5', '\t198.51.100.7:443 , 10.0.0.9')).toBe('198.51.100.7');
  });

  test('is not an address that other text contains', () => {
    for (const text of ['x198.51.100.1:443', '198.51.100.1:443x', 'x[2001:db8::7]', '[2001:db8::7]x'])
      expect(sentBy(['10.0.0.0/8'], '10.0.0.5', text)).toBe(text);
  });
});
