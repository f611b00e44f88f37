/**
 * `node --import tsx bench/soak/soak.ts [minutes, 60, at least 6] [requests a minute, 60]`: the built program as an operator runs it,
 * `serve` and `worker`, for hours: reads, pages, searches, valuations and streams at that rate; each minute a file of sales, which the
 * worker imports besides what it crawls; a close every five. Prints memory, what is left of it when garbage is collected, file
 * descriptors, connections to PostgreSQL and bytes of logs at the start, the middle and the end, with their slopes a minute
 * after the first third, and whether each aim was met.
 */
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeIndices } from '../../src/indices/close/close.ts';
import { dayOf, formatDay } from '../../src/lib/day.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { buildProgram } from '../../test/support/built-program.ts';
import { benchDatabase, fillPricedItems } from '../http/http-database.ts';
import { connectionsTo, openServices } from './services.ts';

const MINUTES = Math.max(Number(process.argv[2] ?? 60), 6);
const A_MINUTE = Number(process.argv[3] ?? 60);
const PORT = 18_080;
const ITEMS = 3000;
const ITEMS_PER_SET = 300;
const SALES_AN_IMPORT = 20;
const CLOSE_EVERY_MINUTES = 5;
/** After the first third: caches and compiled code have their size by then. */
const AIMS = {
  ...{ 'server MB': 0.2, 'server kept MB': 0.2, 'worker MB': 0.2, 'worker kept MB': 0.05 },
  ...{ 'server files': 0.05, 'worker files': 0.05, connections: 0.05 },
};

type Sample = Record<string, number>;

const database = await benchDatabase();
const folder = mkdtempSync(join(tmpdir(), 'mintmark-soak-'));
const [heaps, incoming] = [join(folder, 'heaps'), join(folder, 'incoming')];
for (const one of [heaps, incoming]) mkdirSync(one);
const built = await buildProgram(folder);
const services = await openServices(
  Array.from({ length: ITEMS }, (_, n) => ({
    ...{ name: `Card ${n}`, set: `Set ${1 + Math.floor(n / ITEMS_PER_SET)}`, number: `${n % ITEMS_PER_SET}` },
  })),
);
writeFileSync(join(folder, 'connections.yaml'), connectionsTo(services, incoming));
const { host, database: name, user } = database.connection;
const env = {
  ...{ PATH: process.env.PATH, HOME: process.env.HOME, XDG_CONFIG_HOME: folder, MINTMARK_DATA: folder, LIMITS: 'off' },
  ...{ PORT: String(PORT), BASE_URL: `http://127.0.0.1:${PORT}`, HEAP_FOLDER: heaps },
  CONNECTIONS_FILE: join(folder, 'connections.yaml'),
  DATABASE_URL: `postgresql://${user}@/${name}?host=${encodeURIComponent(String(host))}&port=${database.connection.port ?? 5432}`,
};
const logs = { bytes: 0, faults: 0 };
const failures = new Map<string, number>();
const paths = await fillPricedItems(database.db, ITEMS);
const ids = (await database.db.query<{ id: string }>('select id from items order by id')).map(({ id }) => id);
const children = [program('serve'), program('worker')] as const;
try {
  await until(`http://127.0.0.1:${PORT}/ready`);
  const samples = await run();
  report(samples);
} finally {
  for (const child of children) child.kill();
  await Promise.all(children.map((child) => child.exitCode ?? new Promise((resolve) => child.once('exit', resolve))));
  services.close();
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}

function program(command: string) {
  const measured = ['--expose-gc', '--import', new URL('collect-garbage.mjs', import.meta.url).href];
  const child = spawn(process.execPath, [...measured, built, command], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr.on('data', (chunk: Buffer) => {
    logs.bytes += chunk.length;
    logs.faults += chunk.toString().match(/"level":[56]0/g)?.length ?? 0;
  });
  return child;
}

async function until(url: string): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (
    !(await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (Date.now() > deadline) throw new Error(`${url} does not answer`);
    await sleep(500);
  }
}

async function run(): Promise<Sample[]> {
  const samples: Sample[] = [];
  let day = dayOf(Date.parse('2026-06-30T00:00:00Z'));
  let turn = 0;
  const begun = performance.now();
  for (let minute = 0; minute < MINUTES; minute++) {
    importSome(minute, day);
    if (minute % CLOSE_EVERY_MINUTES === 0) {
      await reprice(database.db, { through: day });
      await closeIndices(database.db, { through: day });
      day++;
    }
    for (let n = 0; n < A_MINUTE; n++, turn++) {
      await request(turn);
      const due = begun + (minute + (n + 1) / A_MINUTE) * 60_000;
      await sleep(Math.max(due - performance.now(), 0));
    }
    samples.push(await measure(minute + 1));
    if (minute % 10 === 0) console.error(JSON.stringify(samples.at(-1)));
  }
  return samples;
}

function importSome(minute: number, day: number): void {
  const rows = Array.from(
    { length: SALES_AN_IMPORT },
    (_, n) =>
      `${ids[(minute * 131 + n * 17) % ids.length]},PSA,10,${100 + n}.00,USD,${formatDay(day)},ebay,soak-${minute}-${n}`,
  );
  const path = join(incoming, `.${minute}`);
  writeFileSync(path, `item_id,company,grade,price,currency,sold_at,source,sale_id\n${rows.join('\n')}\n`);
  renameSync(path, join(incoming, `${minute}.csv`));
}

async function request(turn: number): Promise<void> {
  const path = paths[(turn * 7919) % paths.length]!;
  const card = path.slice(0, -'/overview'.length);
  const lines = Array.from({ length: 50 }, (_, n) => ({
    id: ids[(turn + n) % ids.length],
    company: 'PSA',
    grade: '10',
  }));
  const kinds: [string, RequestInit?][] = [
    [path],
    [card.replace('/v1/items', '/card')],
    [`/v1/search?q=Card%20${turn % 300}`],
    [`${card}/fmv-series?window=90`],
    ['/'],
    [`${card}/trades?limit=5`],
    [
      '/v1/valuations',
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ lines }) },
    ],
    [`/v1/graded/PSA${10_000_000 + turn}/stream`],
    ['/v1/indices'],
    ['/v1/status'],
  ];
  const [address, init] = kinds[turn % kinds.length]!;
  const outcome = await fetch(`http://127.0.0.1:${PORT}${address}`, { ...init, signal: AbortSignal.timeout(20_000) })
    .then(async (response) => {
      await response.arrayBuffer();
      return response.status >= 400 && response.status !== 404 ? String(response.status) : null;
    })
    .catch((error: Error) => error.name);
  if (outcome === null) return;
  const kind = `${outcome} ${address.split('/').slice(0, 3).join('/')}`;
  failures.set(kind, (failures.get(kind) ?? 0) + 1);
}

async function measure(minute: number): Promise<Sample> {
  const [server, worker] = await Promise.all(children.map(({ pid }) => processOf(pid!)));
  const [row] = await database.db.query<{ count: number }>(
    'select count(*) from pg_stat_activity where datname = current_database()',
  );
  return {
    ...{ minute, 'server MB': server!.megabytes, 'server kept MB': server!.kept, 'server files': server!.files },
    ...{ 'worker MB': worker!.megabytes, 'worker kept MB': worker!.kept, 'worker files': worker!.files },
    ...{ connections: Number(row!.count), 'log bytes': logs.bytes, 'log faults': logs.faults },
  };
}

/** Of a process: the memory that it has, before garbage is collected, and what of it is kept then. */
async function processOf(pid: number): Promise<{ megabytes: number; kept: number; files: number }> {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1];
  const files = readdirSync(`/proc/${pid}/fd`).length;
  process.kill(pid, 'SIGUSR2');
  for (let tries = 0; tries < 100 && !existsSync(join(heaps, String(pid))); tries++) await sleep(100);
  const kept = Number(readFileSync(join(heaps, String(pid)), 'utf8')) / 2 ** 20;
  rmSync(join(heaps, String(pid)));
  return { megabytes: Number(kilobytes) / 1024, kept, files };
}

function report(samples: readonly Sample[]): void {
  const settled = samples.slice(Math.floor(samples.length / 3));
  const shown = [samples[0]!, samples[Math.floor(samples.length / 2)]!, samples.at(-1)!];
  for (const key of Object.keys(samples[0]!)) {
    const rise = slope(settled.map((one) => [one.minute!, one[key]!]));
    const aim = (AIMS as Record<string, number | undefined>)[key];
    const verdict = aim === undefined ? '' : ` (aim ${aim}: ${rise <= aim ? 'met' : 'missed'})`;
    console.log(
      `${key}: ${shown.map((one) => one[key]!.toFixed(1)).join(', ')}; ${rise.toFixed(3)} a minute${verdict}`,
    );
  }
  const failed = JSON.stringify(Object.fromEntries(failures));
  console.log(
    `failed requests ${failed} of ${MINUTES * A_MINUTE} (aim: none): ${failures.size === 0 ? 'met' : 'missed'}`,
  );
}

function slope(points: readonly [number, number][]): number {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const covariance = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return covariance / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}
