import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from '../../src/db/client.ts';

/** A grader and a market on the loopback that answer after a while, and how often they were queried. */
export type LiveWorld = {
  /** What an operator would set. */
  env: Record<string, string>;
  /** How long one query of each takes, one after the other, by a client that does nothing else: the least time of a valuation. */
  sourcesMs(certNumber: string): Promise<number>;
  queried: { grader: number; market: number };
  afterMs: { grader: number; market: number };
  close(): void;
};

export const FIRST_CERT = 50_000_001;
const SET = 'Emberfall';
export const SALES_PER_ITEM = 3;

/** `count` cards that never sold, one slab each: cert `FIRST_CERT + n` is of the n-th, counted from 0. */
export async function fillUnsoldItems(db: Db, count: number): Promise<void> {
  await db.query(
    `with made as (
       insert into sets (game, segment, name, code, identity)
       values ('pokemon', 'emberfall', $1, 'emb', 'bench emberfall') returning id)
     insert into items (id, game, set_id, number, name, language, stem, identity_key)
     select md5('unsold ' || n)::uuid, 'pokemon', made.id, n::text, name, 'English', n || '-' || name, 'unsold ' || n
     from made, unnest($2::text[]) with ordinality as named (name, n)`,
    [SET, Array.from({ length: count }, (_, at) => nameOf(at + 1))],
  );
}

const SYLLABLES = ['bra', 'cle', 'dro', 'fli', 'gru', 'kwa', 'ple', 'sni', 'tro', 'vul'];

/** A name that no other card of the bench has. */
function nameOf(n: number): string {
  return `${[n, n / 10, n / 100].map((at) => SYLLABLES[Math.floor(at) % 10]).join('')}nix`;
}

export async function liveWorld(): Promise<LiveWorld> {
  const queried = { grader: 0, market: 0 };
  const afterMs = { grader: 100, market: 100 };
  const grader = await serve((path) => {
    queried.grader++;
    const n = Number(path.split('/').at(-1)) - FIRST_CERT + 1;
    const slab = { grade: 'GEM MT 10', subject: nameOf(n).toUpperCase(), set: `POKEMON ${SET}`, number: String(n) };
    return { body: slab, afterMs: afterMs.grader };
  });
  const market = await serve((path) => {
    queried.market++;
    const item = path.split('/').at(-1)!;
    const rows = Array.from({ length: SALES_PER_ITEM }, (_, at) => ({
      sale_id: `${item}-${at}`,
      item_id: item,
      company: 'PSA',
      grade: '10',
      price: '120.00',
      currency: 'USD',
      sold_at: new Date(Date.now() - (at + 2) * 86_400_000).toISOString(),
    }));
    return { body: { rows }, afterMs: afterMs.market };
  });
  const fields = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, `/${name}`]));
  const connections = {
    graders: [
      {
        id: 'grader',
        kind: 'http-json',
        private: true,
        companies: ['PSA'],
        url: `${grader.origin}/{cert}`,
        fields: { ...fields(['grade', 'subject', 'set']), cardNumber: '/number' },
      },
    ],
    sources: [
      {
        id: 'market',
        kind: 'json-http',
        private: true,
        tells: 'sale',
        url: `${market.origin}/{itemId}`,
        rows: '/rows',
        fields: fields(['sale_id', 'item_id', 'company', 'grade', 'price', 'currency', 'sold_at']),
      },
    ],
  };
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-bench-certs-'));
  writeFileSync(join(folder, 'connections.json'), JSON.stringify(connections));
  return {
    env: { CONNECTIONS_FILE: join(folder, 'connections.json') },
    async sourcesMs(certNumber) {
      const begun = performance.now();
      await (await fetch(`${grader.origin}/${certNumber}`)).arrayBuffer();
      await (await fetch(`${market.origin}/unknown`)).arrayBuffer();
      queried.grader--;
      queried.market--;
      return performance.now() - begun;
    },
    queried,
    afterMs,
    close() {
      grader.close();
      market.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function serve(reply: (path: string) => { body: object; afterMs: number }) {
  const server = createServer((request, response) => {
    const { body, afterMs } = reply(request.url!);
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }, afterMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
