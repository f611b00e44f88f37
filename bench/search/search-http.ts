import type { ClientConfig } from 'pg';
import type { SearchIndex } from '../../src/search/index/search-index.ts';
import { aim, middle, spread } from '../access/access-aim.ts';
import { type BenchServer, getRequest, type Load, load, quantile, startServer } from '../http/http-load.ts';
import { searchQueries, tagPairs } from './search-queries.ts';

const CONNECTIONS = 8;
const SECONDS = 8;
const ROUNDS = 3;
const WANTED_PER_SECOND = 400;
const PATIENCE_MS = 300_000;

/** A mix of search requests over HTTP, the cache of ready answers off; server, load and database share the machine. */
export async function measureHttp(connection: ClientConfig, index: SearchIndex): Promise<void> {
  const server = await startServer({ serve: 'app', connection, cacheMb: 0 });
  try {
    await ready(server);
    const requests = mixed(index).map((path) => getRequest(path));
    let turn = 0;
    // A multiplier prime to the number of requests scatters them.
    const next = () => requests[(turn++ * 7919) % requests.length]!;
    const run = (connections: number, seconds: number) =>
      load(server.port, { connections, seconds, next, keepLatencies: true });
    await run(CONNECTIONS, 3);
    const rates: number[] = [];
    const cpu: number[] = [];
    const runs: Load[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const before = await server.usage();
      const one = await run(CONNECTIONS, SECONDS);
      const after = await server.usage();
      runs.push(one);
      rates.push(one.requests / one.seconds);
      cpu.push((after.cpuMicros - before.cpuMicros) / 1000 / one.requests);
    }
    const latency = (share: number) =>
      spread(
        runs.map(({ latenciesMs }) => quantile(latenciesMs, share)),
        1,
      );
    const memory = ((await server.usage()).rssBytes / 2 ** 20).toFixed(0);
    console.log(`${requests.length} different requests, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s`);
    console.log(`  p50 ${latency(0.5)} ms, p99 ${latency(0.99)} ms as a client sees them, ${CONNECTIONS} at a time`);
    console.log(`  server ${spread(cpu)} ms CPU a request, ${memory} MB resident`);
    const alone = await run(1, SECONDS);
    const [p50, p99] = [0.5, 0.99].map((share) => quantile(alone.latenciesMs, share).toFixed(1));
    console.log(
      `  one at a time: p50 ${p50} ms, p99 ${p99} ms, ${(alone.requests / alone.seconds).toFixed(0)} requests/s`,
    );
    const met = middle(rates) >= WANTED_PER_SECOND;
    aim('mixed search requests a second', spread(rates, 0), `≥ ${WANTED_PER_SECOND}`, met);
  } finally {
    server.stop();
  }
}

/** Of 20: 8 judged queries, 2 with typing errors, 3 beginnings of a word, 3 pages of two tags, 4 suggestions. */
function mixed(index: SearchIndex): string[] {
  const { judged, typos, prefixes } = searchQueries(index);
  const tags = tagPairs(index).map(
    (pair) => `/v1/search?${pair.map((tag) => `tag=${encodeURIComponent(tag)}`).join('&')}`,
  );
  const text = (q: string) => `/v1/search?q=${encodeURIComponent(q)}`;
  const typed = judged.map((q) => `/v1/search/suggest?q=${encodeURIComponent(q.slice(0, 2 + (q.length % 9)).trim())}`);
  const parts: [paths: string[], share: number][] = [
    [judged.map(text), 8],
    [typos.map(text), 2],
    [prefixes.map(text), 3],
    [tags, 3],
    [typed, 4],
  ];
  return parts.flatMap(([paths, share]) => Array.from({ length: 100 * share }, (_, i) => paths[i % paths.length]!));
}

async function ready({ port }: BenchServer): Promise<void> {
  const begun = performance.now();
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/v1/search?q=ab`);
    await response.body?.cancel();
    if (response.ok) return;
    if (performance.now() - begun > PATIENCE_MS) throw new Error(`the search is not ready: ${response.status}`);
  }
}
