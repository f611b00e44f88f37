/**
 * `node --import tsx bench/http/memory.ts [minutes, 10] [warm-up minutes, 1]`: full load of mixed requests (cached and not,
 * compressed, 304, errors, searches for what is not there) on one server, whose cache is small enough to be full after
 * the warm-up. Prints how fast its resident memory rises, by regression over samples of every second (aim: at most 1 MB
 * a minute), compared with the same server's rise during the warm-up.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { benchDatabase, fillPricedItems } from './http-database.ts';
import { type BenchServer, getRequest, load, startServer } from './http-load.ts';

const MINUTES = Number(process.argv[2] ?? 10);
const WARM_UP_MINUTES = Number(process.argv[3] ?? 1);
const ITEMS = 5000;
const CACHE_MB = 16;
const CONNECTIONS = 16;
const SAMPLE_MS = 1000;

type Sample = { minute: number; megabytes: number };

const database = await benchDatabase();
try {
  const paths = await fillPricedItems(database.db, ITEMS);
  const server = await startServer({ serve: 'app', connection: database.connection, cacheMb: CACHE_MB });
  const next = mixedRequests(paths);
  const warmUp = await underLoad(server, WARM_UP_MINUTES, next);
  const measured = await underLoad(server, MINUTES, next);
  const [first, last] = [measured.samples[0]!, measured.samples.at(-1)!];
  console.log(
    `${measured.requests.toLocaleString('en')} requests in ${MINUTES} min, ${Math.round(measured.requests / MINUTES / 60).toLocaleString('en')} a second`,
  );
  console.log(`resident ${first.megabytes.toFixed(1)} MB at the start, ${last.megabytes.toFixed(1)} MB at the end`);
  console.log(`warm-up ${slope(warmUp.samples).toFixed(2)} MB a minute`);
  console.log(`after   ${slope(measured.samples).toFixed(2)} MB a minute  (aim: at most 1)`);
  server.stop();
} finally {
  await database.stop();
}

/** Nine of ten requests go to a few hundred cards, as in life; the tenth anywhere. */
function mixedRequests(paths: readonly string[]): () => Buffer {
  const hot = paths.slice(0, 300);
  let turn = 0;
  return () => {
    const n = turn++;
    const path = n % 10 === 0 ? paths[(n * 7919) % paths.length]! : hot[(n * 31) % hot.length]!;
    const card = path.slice(0, -'/overview'.length);
    switch (n % 20) {
      case 0:
        return getRequest(card);
      case 1:
        return getRequest(`${card}/fmv-series?window=90`, { 'accept-encoding': 'br' });
      case 2:
        return getRequest(`${card}/trades?limit=5`);
      case 3:
        return getRequest(`/v1/items/pokemon/set-s1/${n}-nobody-00000000`);
      case 4:
        return getRequest(`${card}/series?window=${n}x`);
      case 5:
        return getRequest(`${path}?n=${n}`, { 'accept-encoding': `gzip;q=0.${n % 900}` });
      case 6:
        return getRequest(path, { 'if-none-match': '*' });
      default:
        return getRequest(path, { 'accept-encoding': 'gzip, deflate, br' });
    }
  };
}

async function underLoad(server: BenchServer, minutes: number, next: () => Buffer) {
  const samples: Sample[] = [];
  const begun = performance.now();
  const running = load(server.port, { connections: CONNECTIONS, seconds: minutes * 60, next });
  let over = false;
  void running.finally(() => {
    over = true;
  });
  while (!over) {
    const { rssBytes } = await server.usage();
    samples.push({ minute: (performance.now() - begun) / 60_000, megabytes: rssBytes / 2 ** 20 });
    await sleep(SAMPLE_MS);
  }
  return { samples, requests: (await running).requests };
}

/** Least squares. */
function slope(samples: readonly Sample[]): number {
  const mean = (pick: (one: Sample) => number) => samples.reduce((sum, one) => sum + pick(one), 0) / samples.length;
  const [x, y] = [mean((one) => one.minute), mean((one) => one.megabytes)];
  const covariance = mean((one) => (one.minute - x) * (one.megabytes - y));
  return covariance / mean((one) => (one.minute - x) ** 2);
}
