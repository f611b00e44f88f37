import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Reach } from '../../../src/http/outbound/outbound-address.ts';

const table: Record<Reach, string[]> = {
  public: ['1.1.1.1', '8.8.8.8', '172.15.255.255', '172.32.0.0', '100.63.255.255', '100.128.0.0', '223.255.255.255'],
  private: ['10.0.0.1', '127.0.0.1', '127.255.255.254', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1'],
  never: [
    ...[
      '0.0.0.0',
      '0.1.2.3',
      '169.254.169.254',
      '192.0.0.192',
      '192.0.2.1',
      '192.88.99.1',
      '198.18.0.1',
      '198.19.255.255',
      '198.51.100.1',
    ],
    ...['1e5.1.1.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '100.100.100.200', '168.63.129.16'],
    ...['', 'localhost', '1.2.3', '0x7f.1', '2130706433', '1.2.3.4.', ' 1.2.3.4'],
  ],
};
const table6: Record<Reach, string[]> = {
  public: ['2606:4700::1111', '2a00:1450:4001::1', '::ffff:8.8.8.8', '64:ff9b::808:808', '::FFFF:808:808'],
  private: ['::1', 'fc00::1', 'fd12:3456::1', '::ffff:10.0.0.1', '::ffff:7f00:1', '64:ff9b::a00:1', '0:0:0:0:0:0:0:1'],
  never: [
    ...['::', '::2', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '2001::1', '2001:db8::1', '2002:a00:1::1'],
    ...[
      '3fff::1',
      '100::1',
      '64:ff9b:1::1',
      'fd00:ec2::254',
      '::ffff:169.254.169.254',
      '64:ff9b::a9fe:a9fe',
      '::ffff:168.63.129.16',
    ],
    ...['::ffff:0.0.0.1', '64:ff9b::1', '64:ff9b::', '::7f00:1', '4000::1', '::1%lo', '1::2::3'],
  ],
};

describe('the reach of an address', () => {
  for (const [reach, addresses] of [...Object.entries(table), ...Object.entries(table6)])
    test.each(addresses)(`${reach}: %s`, async (address) => {
      // Imported here: a range that cannot be read fails this test, not the whole file unseen.
      const { reachOf } = await import('../../../src/http/outbound/outbound-address.ts');
      expect(reachOf(address)).toBe(reach);
    });
});

test('nothing in the program calls out but through the outbound', () => {
  const callers = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/^http\/outbound\/outbound(-hop)?\.ts$/.test(name))
    // Runs in browsers, where the pages' policy lets it reach its own site alone.
    .filter((name) => !name.startsWith('web/client/'))
    // Each reads the one address that the person at the terminal gave it; nothing of the service calls it.
    .filter((name) => !['commands/verify.ts', 'mcp/remote-api.ts'].includes(name))
    .filter((name) => {
      const text = readFileSync(join('src', name), 'utf8').replace(/^import type .*$/gm, '');
      return /['"](node:)?(https|http2|dns|dns\/promises|undici|axios|got)['"]|(?<!\bhandler\.)\bfetch\(|\brequest\b.*['"]node:http['"]/.test(
        text,
      );
    });
  expect(callers).toEqual([]);
});
