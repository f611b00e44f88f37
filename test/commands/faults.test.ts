import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { canMount } from '../support/database/embedded-process.ts';
import { folderOfRun } from '../support/database/run-folder.ts';
import { databaseUrlOf, runProgram, startProgram, untilServing } from '../support/program.ts';

const folder = folderOfRun();
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const CARD = '{"game":"pokemon","set":{"key":"base","name":"Base Set"},"name":"Pikachu","rarity":"Common"}\n';
const CARDS = file('cards.ndjson', CARD);

let fresh: FreshDatabase;
let other: Server;
let takenPort: string;
let settings: Record<string, string>;
beforeAll(async () => {
  fresh = await freshDatabase();
  settings = { DATABASE_URL: databaseUrlOf(fresh.connection), MINTMARK_DATA: join(folder, 'data'), PORT: '0' };
  other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  takenPort = String((other.address() as { port: number }).port);
});
afterAll(async () => {
  other.close();
  await fresh.close();
});

/** Runs the program as `"$@"` of a shell line. */
const shell = (line: string) => ['sh', '-ec', line, 'sh'];

type Fault = {
  what: string;
  args?: string[];
  env?: () => Record<string, string>;
  code: number;
  says: RegExp;
};

const setting = (name: string, value: string, says: RegExp): Fault => ({
  what: `${name}=${value}`,
  env: () => ({ [name]: value }),
  code: 2,
  says,
});
const misspelt = (name: string, meant: string, env: Record<string, string> = {}): Fault => ({
  what: `${name} for ${meant}`,
  env: () => ({ ...env, [name]: 'x' }),
  code: 2,
  says: new RegExp(`^${name} is not a setting; did you mean ${meant}\\?`),
});
const NOT_SET = { DATABASE_URL: '' };

const FAULTS: Fault[] = [
  {
    what: 'a port that another program has',
    env: () => ({ PORT: takenPort }),
    code: 2,
    says: /^Port \d+ of 127\.0\.0\.1 is in use: .* set PORT \(METRICS_PORT for metrics\)\.$/,
  },
  {
    what: 'a port of metrics that another program has',
    env: () => ({ PORT: '0', METRICS_PORT: takenPort }),
    code: 2,
    says: /^Port \d+ of 127\.0\.0\.1 is in use/,
  },
  setting('HOST', '192.0.2.1', /^HOST is not an address of this machine/),
  setting('HOST', 'no-such-host.invalid', /^HOST is not an address of this machine/),
  setting('PORT', 'abc', /^PORT must be a whole number/),
  setting('BASE_URL', 'foo', /^BASE_URL must be an http or https address/),
  setting('TRUSTED_PROXIES', '10.0.0.0/8,nonsense', /^TRUSTED_PROXIES lists .*; nonsense is neither/),
  setting('LOG_LEVEL', 'loud', /^LOG_LEVEL must be one of/),
  setting('CONNECTIONS_FILE', '/nonexistent/x.yaml', /^CONNECTIONS_FILE cannot be read/),
  misspelt('DATABSE_URL', 'DATABASE_URL', NOT_SET),
  misspelt('DATABASE_ULR', 'DATABASE_URL', NOT_SET),
  misspelt('LOGLEVEL', 'LOG_LEVEL'),
  misspelt('TRUSTED_PROXY', 'TRUSTED_PROXIES'),
  misspelt('MINTMARK_DTA', 'MINTMARK_DATA', { MINTMARK_DATA: '' }),
  { what: 'MINTMARK_PORT', env: () => ({ MINTMARK_PORT: '1' }), code: 2, says: /^MINTMARK_PORT is not a setting/ },
  {
    what: 'a database that is down',
    env: () => ({ DATABASE_URL: 'postgres://127.0.0.1:1/x' }),
    code: 4,
    says: /^The server of DATABASE_URL cannot be used/,
  },
  {
    what: 'a database that is read-only',
    args: ['import', 'catalog', 'mintmark', CARDS],
    env: () => ({ DATABASE_URL: `${settings.DATABASE_URL}&options=-c%20default_transaction_read_only%3Don` }),
    code: 4,
    says: /read-only/,
  },
  {
    what: 'a data folder that is a file',
    env: () => ({ DATABASE_URL: '', MINTMARK_DATA: CARDS }),
    code: 4,
    says: /cannot be used|may not write/,
  },
  {
    what: 'a file that is not there',
    args: ['import', 'rates', '/nonexistent.csv'],
    code: 3,
    says: /nonexistent\.csv/,
  },
  {
    what: 'a format that is not there',
    args: ['import', 'sales', 'ebay', CARDS],
    code: 2,
    says: /^there is no sales format "ebay"; there is mintmark, /,
  },
  {
    what: 'a misspelt format',
    args: ['import', 'catalog', 'tcgdx', CARDS],
    code: 2,
    says: /^there is no catalog format "tcgdx"; did you mean tcgdex\?/,
  },
  { what: 'indices that are not there', args: ['index', 'audit', '--game', 'x'], code: 2, says: /^no index is called/ },
];

test.each(FAULTS)('$what: one sentence that says what to do, exit code $code', async ({ args, env, code, says }) => {
  const ended = await runProgram(args ?? ['serve'], { ...settings, ...env?.() });
  const lines = ended.errors.trim().split('\n');
  const sentence = lines.filter((line) => line.startsWith('mintmark: '));
  expect(sentence, ended.errors).toHaveLength(1);
  expect(sentence[0]!.slice('mintmark: '.length)).toMatch(says);
  // Otherwise there are only log lines, none of them an error.
  for (const line of lines.filter((one) => one !== sentence[0])) expect(JSON.parse(line).level).toBeLessThan(50);
  expect(ended.code).toBe(code);
});

test('a setting that another program has under a like name does no harm once ours is set', async () => {
  const env = { ...settings, LOGLEVEL: 'DEBUG', LOG_LEVEL: 'warn', DATABASE_URI: 'mysql://x' };
  expect(await runProgram(['sales', 'unmatched'], env)).toMatchObject({ code: 0, errors: '' });
});

test('a reader that leaves does not end an import: its tags are derived', async () => {
  const cards = Array.from({ length: 60 }, (_, i) => CARD.replace('Pikachu', `Card ${i}`)).join('');
  const args = ['import', 'catalog', 'mintmark', file('many.ndjson', cards)];
  // The reader has ended before the first line.
  const ended = await runProgram(args, settings, shell('{ "$@"; echo "ended $?" >&2; } | true'));
  expect(ended.errors).toBe('ended 0\n');
  const [row] = await fresh.db.query<{ tagged: number }>('select count(distinct item_id) as tagged from item_tags');
  expect(row!.tagged).toBeGreaterThanOrEqual(60);
});

test('an output without room is one sentence', async () => {
  const ended = await runProgram(['sales', 'unmatched'], settings, shell('exec "$@" > /dev/full'));
  expect(ended.errors).toMatch(/^mintmark: There is no space left on the disk of the output/);
  expect(ended.code).toBe(1);
});

describe.skipIf(!canMount)('on a disk of its own', () => {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  const env = { MINTMARK_DATA: join(disk, 'data'), PORT: '0', LIMITS: 'off' };
  /** As root in a mount namespace of its own, on a new disk. */
  const mounted = (options: string, more = 'true') => [
    'unshare',
    '-m',
    ...shell(`mount -t tmpfs -o ${options},mode=755 none "${disk}"; mkdir -m 777 "${disk}/data"; ${more}; exec "$@"`),
  ];

  test('that is too small, the database is not made: one sentence, exit code 4', async () => {
    const ended = await runProgram(['doctor'], env, mounted('size=8m'));
    expect(ended.errors).toMatch(/^mintmark: There is no space left on the disk of .*: free /m);
    expect(ended.errors).not.toMatch(/^ {4}at /m);
    expect(ended.code).toBe(4);
  });

  test('that is mounted read-only, the sentence says so', async () => {
    const ended = await runProgram(['doctor'], env, mounted('size=8m', `mount -o remount,ro "${disk}"`));
    expect(ended.errors).toMatch(/^mintmark: .*read-only/m);
    expect(ended.code).toBe(4);
  });

  test('that runs full, health is 503 and names it, while reads and readiness are 200', async () => {
    const program = startProgram(['serve'], env, mounted('size=400m'));
    const address = await untilServing(program);
    const status = async (path: string) => (await fetch(address + path)).status;
    expect(await status('/health')).toBe(200);
    // The disk as the program sees it.
    const seen = `/proc/${program.pid}/root${disk}`;
    expect(() => writeFileSync(join(seen, 'filler'), Buffer.alloc(2 ** 30))).toThrow(/ENOSPC/);
    await expect.poll(() => status('/health'), { timeout: 10_000 }).toBe(503);
    expect(await (await fetch(`${address}/health`)).json()).toMatchObject({ ok: false, db: true, disk: false });
    await expect.poll(() => status('/ready'), { timeout: 20_000 }).toBe(200);
    expect(await status('/v1/games')).toBe(200);
    program.kill();
    await program.ended;
  });
});
