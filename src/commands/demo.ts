import { join } from 'node:path';
import { loadPepper, pepperPath } from '../access/pepper.ts';
import { type Config, readConfigOver } from '../config.ts';
import type { Db } from '../db/client.ts';
import { formatDay } from '../lib/day.ts';
import { loadDemo } from '../ops/demo/demo-load.ts';
import { issueDemoKey } from '../ops/demo/key.ts';
import { makeSamplePhotos } from '../ops/demo/photos.ts';
import { makeDemoPictures } from '../ops/demo/pictures.ts';
import { startDemoServices } from '../ops/demo/services.ts';
import { startServer } from './serve.ts';
import { type CommandWorld, today, withWorld } from './world.ts';

/** A curious person does not reach these limits in the first hour; every other setting is that of `serve`. */
export const DEMO_LIMITS = {
  DAILY_PUBLIC: '2000',
  IMAGE_PUBLIC: '200',
  SITE_PUBLIC: '200',
  INTAKE_PUBLIC: '50',
  BURST_PUBLIC: '50',
  VISITS_PER_SECOND: '50',
};

/** `mintmark demo`: real cards with simulated sales, in a data folder of their own, served with a simulated grader and market. */
export async function demoCommand(): Promise<void> {
  const config = readConfigOver(DEMO_LIMITS);
  // Simulated sales never meet an operator's own: it uses a data folder of its own and never DATABASE_URL.
  const logLevel = config.logLevel === 'info' ? 'warn' : config.logLevel;
  const demoConfig = { ...config, dataDir: join(config.dataDir, 'demo'), databaseUrl: null, logLevel } as const;
  await withWorld(async (world) => {
    const startedMs = Date.now();
    const loaded = await loadDemo(world.db, today(), (step) => console.log(`${step} …`));
    if (loaded) console.log(`loaded in ${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
    const key = await issueDemoKey(world.db, await loadPepper(world.db, pepperPath(world.config)));
    const services = await startDemoServices(world.db, { baseUrl: world.config.baseUrl, clock: Date.now });
    const config = { ...world.config, connections: services.connections };
    const stopping = new AbortController();
    let pictures = Promise.resolve();
    try {
      const { closed } = await startServer({ ...world, config });
      console.log(await greeting(world.db, config, key));
      pictures = inBackground(world, stopping.signal);
      await closed;
    } finally {
      stopping.abort();
      await Promise.all([pictures, services.close()]);
    }
  }, demoConfig);
}

/** Pictures, tags and vectors are made while the server answers already; they are searched as soon as they are there. */
async function inBackground({ db, config: { dataDir }, log }: CommandWorld, signal: AbortSignal): Promise<void> {
  try {
    await makeDemoPictures(db, { dataDir, signal, say: (step) => console.log(step) });
    if (signal.aborted) return;
    await makeSamplePhotos();
    console.log('photos can be searched');
  } catch (error) {
    log.error(error, 'the pictures of the demo cannot be made; the next start tries again');
  }
}

type Key = { id: string; secret: string };

async function greeting(db: Db, { baseUrl, limits }: Config, key: Key): Promise<string> {
  const [card] = await db.query<{ id: string; gradeKey: string; closedDay: number }>(
    `select i.id, s.grade_key as "gradeKey", m.closed_day as "closedDay"
     from items i join sales s on s.item_id = i.id, model_state m
     where i.game = 'pokemon' and s.rejection is null and s.grade_key is not null
     group by i.id, s.grade_key, m.closed_day order by count(*) desc, i.id limit 1`,
  );
  const receipt = `${baseUrl}/v1/receipts/${card!.id}/${card!.gradeKey}/${formatDay(card!.closedDay)}`;
  const keyed = `-H 'X-Api-Key: ${key.id}' -H 'X-Api-Secret: ${key.secret}'`;
  return `
Mintmark demo: real cards, SIMULATED sales, listings and prices.

  pages      ${baseUrl}
  reference  ${baseUrl}/api
  contract   ${baseUrl}/v1/openapi.json
  photos     ${baseUrl}/scan, with three samples, once "photos can be searched" is printed below

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

${budgetsOf(limits)}
Check a price of the demo's public record, from its receipt alone:
  node bin/mintmark.mjs verify ${receipt}

Ctrl-C ends it; the data stay in place.`;
}

/** What the budgets of the demo are, as the operator has set them. */
export function budgetsOf(limits: Config['limits']): string {
  if (limits === null) return 'Requests are not limited (LIMITS=off).';
  const [partner, open] = [limits.daily.partner, limits.daily.public].map((one) => one.toLocaleString('en'));
  return `With the key there are ${partner} requests a day, without it ${open} per address; GET /v1/usage shows them.
The limits of \`mintmark serve\` are lower; LIMITS=off turns them off.`;
}
