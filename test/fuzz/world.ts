import type { AddressInfo } from 'node:net';
import { parseDay } from '../../src/lib/day.ts';
import { openapiDocument } from '../../src/ops/openapi.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { ROUTES } from '../../src/routes.ts';
import { BASE_URL, testApp } from '../support/app.ts';
import { anExternalId, anItem, aSet, manySales } from '../support/builders.ts';
import { freshDatabase } from '../support/database/database.ts';
import type { OpenApi } from '../support/fuzz/fuzz-document.ts';
import { poolsOf } from '../support/fuzz/fuzz-pools.ts';
import type { Pools } from '../support/fuzz/fuzz-requests.ts';
import { aTag, imaged } from '../support/tags.ts';

export type FuzzWorld = { port: number; document: OpenApi; pools: Pools; close(): Promise<void> };

/** The real app, listening on the loopback over a few priced cards, with limits on that nothing reaches. */
export async function fuzzWorld(): Promise<FuzzWorld> {
  const database = await freshDatabase();
  const { db } = database;
  for (const game of ['pokemon', 'one-piece', 'mtg'] as const) {
    const set = await aSet(db, { game, name: 'Base', code: `${game}1` });
    const itemIds: string[] = [];
    for (const number of ['1', '2', '3']) {
      const itemId = await anItem(db, { set, number, upstreamItemId: `${game}-${number}` });
      await manySales(db, { itemId });
      await anExternalId(db, { itemId, externalIds: [`scryfall ${itemId}`, 'scryfall of-all'] });
      itemIds.push(itemId);
    }
    await imaged(db, ...itemIds);
    await aTag(db, { slug: 'happy', game, itemIds });
    await aTag(db, { kind: 'character', slug: 'charizard', name: 'Charizard', game, itemIds: itemIds.slice(1) });
  }
  await reprice(db, { through: parseDay('2026-06-29')! });
  const plenty = ['DAILY', 'IMAGE', 'INTAKE'].flatMap((name) => [`${name}_PUBLIC`, `${name}_PARTNER`]);
  const env = {
    LIMITS: 'on',
    BURST_PUBLIC: '0',
    BURST_PARTNER: '0',
    FAILED_TRIES_PER_MINUTE: '0',
    REFUSALS_PER_MINUTE: '1000000',
    VISITS_PER_SECOND: '0',
    INTAKE_KEPT_PER_DAY: '1000000',
    ...Object.fromEntries(plenty.map((name) => [name, '900000000'])),
  };
  const api = await testApp(db, { cacheMb: 4, env });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    port: (api.app.server.address() as AddressInfo).port,
    document: openapiDocument(ROUTES, { name: 'Mintmark', baseUrl: BASE_URL, contact: null }) as OpenApi,
    pools: await poolsOf(db, await api.issueKey()),
    async close() {
      await api.app.close();
      await database.close();
    },
  };
}
