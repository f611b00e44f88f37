import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MarketServer, marketServer, type ReceivedRequest, type Reply } from '../support/servers/market-server.ts';

/** A slab as the loopback grader describes it. */
export type Slab = {
  grade: string;
  subject: string;
  set: string;
  number: string;
  year?: string;
  variety?: string;
  status?: string;
};

export const CHARIZARD: Slab = { grade: 'GEM MT 10', subject: 'CHARIZARD', set: 'POKEMON BASE', number: '4' };

export type LiveServers = {
  grader: MarketServer;
  market: MarketServer;
  /** What an operator would set. */
  env: Record<string, string>;
  close(): Promise<void>;
};

/** Ids of connections are shared by all processes on a database: their circuits too. */
let servers = 0;

/**
 * A grader of PSA and CGC and a market on the loopback, and the configuration that connects them. `patience` goes into
 * both connections.
 */
export async function liveServers(
  slabs: Record<string, Slab>,
  sales: (received: ReceivedRequest) => object[] = () => [],
  patience: { timeoutMs?: number; tryTimeoutMs?: number; tries?: number } = {},
): Promise<LiveServers> {
  const grader = await marketServer((received) => graderReply(received, slabs));
  const market = await marketServer((received) => ({ body: { rows: sales(received) } }));
  const n = servers++;
  const common = { private: true, kind: 'http-json', ...patience };
  const field = (name: string) => `/${name}`;
  const connections = {
    graders: [
      {
        ...common,
        id: `grader-${n}`,
        name: 'Loopback grader',
        companies: ['PSA', 'CGC'],
        url: `${grader.origin}/{company}/{cert}`,
        fields: {
          grade: field('grade'),
          subject: field('subject'),
          set: field('set'),
          cardNumber: field('number'),
          year: field('year'),
          variety: field('variety'),
        },
        deactivatedWhen: { path: '/status', equals: ['void'] },
      },
    ],
    sources: [
      {
        ...common,
        kind: 'json-http',
        id: `market-${n}`,
        name: 'Loopback market',
        tells: 'sale',
        url: `${market.origin}/sales?item={itemId}&grade={gradeKey}`,
        rows: '/rows',
        fields: Object.fromEntries(SALE_FIELDS.map((name) => [name, field(name)])),
      },
    ],
  };
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-live-'));
  const file = join(folder, 'connections.json');
  writeFileSync(file, JSON.stringify(connections));
  return {
    grader,
    market,
    env: { CONNECTIONS_FILE: file },
    async close() {
      await grader.close();
      await market.close();
      rmSync(folder, { recursive: true });
    },
  };
}

const SALE_FIELDS = ['sale_id', 'item_id', 'company', 'grade', 'price', 'currency', 'sold_at'] as const;

/** Sales of the requested item, in PSA 10, a week apart up to 2026-06-28. */
export function salesOf({ query }: ReceivedRequest, count = 3): object[] {
  return Array.from({ length: count }, (_, n) => ({
    sale_id: `${query.get('item')}-${n}`,
    item_id: query.get('item'),
    company: 'PSA',
    grade: '10',
    price: '250.00',
    currency: 'USD',
    sold_at: new Date(Date.parse('2026-06-28T10:00:00Z') - n * 7 * 86_400_000).toISOString(),
  }));
}

function graderReply({ path }: ReceivedRequest, slabs: Record<string, Slab>): Reply {
  const [, cert = ''] = /^\/[A-Z]+\/(\d+)$/.exec(path) ?? [];
  const slab = slabs[cert];
  return slab === undefined ? { status: 404 } : { body: slab };
}
