import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/db/client.ts';
import { uniformOf } from '../../src/lib/seeded.ts';
import { type BenchServer, getRequest, load, quantile } from '../http/http-load.ts';
import { FIRST_CERT } from './growth-files.ts';

/** Milliseconds of one route: uncached of random cards, cached of one. */
export type RouteTimes = { route: string; coldP50: number; coldP99: number; hotP50: number; hotP99: number };

type Card = { id: string; game: string; segment: string; stem: string; id8: string; name: string };

const [COLD, HOT, SECONDS] = [300, 1000, 120];
const SAMPLE = 2000;

/** The addresses of each route for a card. */
const ROUTES: Record<string, (card: Card, cert: number) => string> = {
  'GET /v1/items/…/overview': (c) => `/v1/items/by-id/${c.id}/overview`,
  'GET /v1/items/… of PSA 10': (c) => `/v1/items/${c.game}/${c.segment}/${c.stem}-psa-10-${c.id8}`,
  'GET /v1/items/…/fmv-series': (c) => `/v1/items/by-id/${c.id}/fmv-series?window=90`,
  'GET /v1/items/…/trades': (c) => `/v1/items/by-id/${c.id}/trades?scope=all`,
  'GET /v1/items/…/similar': (c) => `/v1/items/${c.game}/${c.segment}/${c.stem}-${c.id8}/similar`,
  'GET /v1/items/featured': () => '/v1/items/featured',
  'GET /v1/trades/recent': () => '/v1/trades/recent',
  'GET /v1/indices': () => '/v1/indices',
  'GET /v1/search': (c) => `/v1/search?q=${encodeURIComponent(c.name)}`,
  'GET /v1/graded/…': (_, cert) => `/v1/graded/${cert}`,
  'page of a card at PSA 10': (c) => `/card/${c.game}/${c.segment}/${c.stem}-psa-10-${c.id8}`,
  'page of a card': (c) => `/card/${c.game}/${c.segment}/${c.stem}-${c.id8}`,
  'page of its set': (c) => `/card/${c.game}/${c.segment}`,
  home: () => '/',
  movers: () => '/movers',
  'page of a search': (c) => `/search?q=${encodeURIComponent(c.name)}`,
};

/** Times each route with the cache off, then on, one request at a time; with that of the largest set. */
export async function routeTimes(
  db: Db,
  start: (cacheMb: number) => Promise<BenchServer>,
  world: { ids: readonly string[]; certs: number; largeSet: string },
): Promise<RouteTimes[]> {
  const random = uniformOf('growth routes');
  const some = Array.from({ length: SAMPLE }, () => world.ids[Math.floor(world.ids.length * random())]!);
  const cards = await db.query<Card>(
    `select i.id, i.game, s.segment, i.stem, i.id8, i.name from items i join sets s on s.id = i.set_id where i.id = any($1)`,
    [some],
  );
  const routes: typeof ROUTES = { ...ROUTES, 'page of the largest set': () => world.largeSet };
  const times = new Map<string, RouteTimes>();
  for (const isHot of [false, true]) {
    const server = await start(isHot ? 128 : 0);
    await searchReady(server);
    for (const [route, addressOf] of Object.entries(routes)) {
      const accept = addressOf(cards[0]!, 0).startsWith('/v1') ? 'application/json' : 'text/html';
      let turn = 0;
      const next = () => {
        turn += isHot ? 0 : 1;
        const card = cards[turn % cards.length]!;
        return getRequest(addressOf(card, FIRST_CERT + (isHot ? 0 : Math.floor(random() * world.certs))), { accept });
      };
      const run = (requests: number) =>
        load(server.port, { connections: 1, seconds: SECONDS, requests, next, keepLatencies: true });
      const { status } = await fetch(`http://127.0.0.1:${server.port}${addressOf(cards[0]!, FIRST_CERT)}`, {
        headers: { accept },
      });
      if (status !== 200) throw new Error(`${route}: ${status}`);
      await run(20);
      const { latenciesMs } = await run(isHot ? HOT : COLD);
      const [p50, p99] = [quantile(latenciesMs, 0.5), quantile(latenciesMs, 0.99)];
      const known = times.get(route) ?? { route, coldP50: 0, coldP99: 0, hotP50: 0, hotP99: 0 };
      times.set(route, isHot ? { ...known, hotP50: p50, hotP99: p99 } : { ...known, coldP50: p50, coldP99: p99 });
    }
    server.stop();
  }
  return [...times.values()];
}

/** Resolves when a server has built its search index: 503 until then. */
export async function searchReady({ port }: BenchServer): Promise<void> {
  while (!(await fetch(`http://127.0.0.1:${port}/v1/search?q=card`)).ok) await sleep(100);
}
