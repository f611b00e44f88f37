import { join } from 'node:path';
import { issueKey } from '../access/keys.ts';
import { loadPepper } from '../access/pepper.ts';
import { readConfig } from '../config.ts';
import type { Db } from '../db/client.ts';
import { loadDemo } from '../ops/demo/load.ts';
import { startDemoServices } from '../ops/demo/services.ts';
import { pepperPath, startServer } from './serve.ts';
import { today, withWorld } from './world.ts';

/** `mintmark demo`: real cards with simulated sales, in a data folder of their own, served beside a simulated grader and market. */
export async function demoCommand(): Promise<void> {
  const config = readConfig();
  // Simulated sales never meet an operator's own.
  const logLevel = config.logLevel === 'info' ? 'warn' : config.logLevel;
  const demoConfig = { ...config, dataDir: join(config.dataDir, 'demo'), logLevel } as const;
  await withWorld(async (world) => {
    const startedMs = Date.now();
    const loaded = await loadDemo(world.db, today(), (step) => console.log(`${step} …`));
    if (loaded) console.log(`loaded in ${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
    const key = await issueKey(world.db, await loadPepper(pepperPath(world.config)), 'demo');
    const services = await startDemoServices(world.db, { baseUrl: world.config.baseUrl, clock: Date.now });
    const config = { ...world.config, connections: services.connections };
    try {
      const { closed } = await startServer({ ...world, config });
      console.log(await greeting(world.db, config.baseUrl, key));
      await closed;
    } finally {
      await services.close();
    }
  }, demoConfig);
}

async function greeting(db: Db, baseUrl: string, key: { id: string; secret: string }): Promise<string> {
  const [card] = await db.query<{ id: string }>(
    `select i.id from items i join sales s on s.item_id = i.id where i.game = 'pokemon' and s.refusal is null
     group by i.id order by count(*) desc limit 1`,
  );
  const keyed = `-H 'X-Api-Key: ${key.id}' -H 'X-Api-Secret: ${key.secret}'`;
  return `
Mintmark demo: real cards, SIMULATED sales, listings and prices.

  reference  ${baseUrl}/api
  contract   ${baseUrl}/v1/openapi.json

A demo key (its secret is shown this once):
  X-Api-Key: ${key.id}
  X-Api-Secret: ${key.secret}

Try:
  curl ${keyed} ${baseUrl}/v1/items/by-id/${card!.id}/overview
  curl '${baseUrl}/v1/items/by-id/${card!.id}/fmv-series?window=90'
  curl '${baseUrl}/v1/items/by-id/${card!.id}/trades?scope=all&limit=5'
  curl '${baseUrl}/v1/items/featured?limit=3'
  curl '${baseUrl}/v1/trades/recent'
  curl -N ${keyed} ${baseUrl}/v1/graded/90000012/stream

The last one values a slab that nobody registered: a SIMULATED grader says what it is, a SIMULATED market what it sold
for. They know PSA, BGS and CGC certs 90000001 to 90000999 (numbers in 13 were deactivated, in 7 are slow, in 99 unknown).

With the key there are 10,000 requests a day, without it 10 from an address (GET /v1/usage tells).
Ctrl-C ends it; the data stay in place.`;
}
