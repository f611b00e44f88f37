import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STAGES } from '../../src/graded/runs/stages.ts';
import { type ImageWorld, imageWorld } from '../search/photo/image-world.ts';
import { closeDays, manySales } from '../support/builders.ts';
import { photographSlab } from '../support/photos/slabs.ts';
import { eventsOf } from '../support/servers/sse-client.ts';
import { expectDocumented } from './documented-events.ts';
import { type LiveServers, liveServers } from './live-world.ts';

let servers: LiveServers;
let world: ImageWorld;

beforeAll(async () => {
  // The grader knows the cert, but its label names a card that the catalog does not have.
  servers = await liveServers({
    48881234: { grade: 'GEM MT 10', subject: 'NOBODY', set: 'POKEMON NOWHERE', number: '99' },
  });
  world = await imageWorld(12, servers.env);
  for (const itemId of world.ids.slice(0, 6)) await manySales(world.database.db, { itemId });
  await closeDays(world.database.db);
});
afterAll(async () => {
  await world.close();
  await servers.close();
});

async function events(cert: string) {
  const card = { name: 'Card 3', year: 1999, game: 'Pokemon', set: 'Base', number: '3', variety: '' };
  const print = { card, barcode: null, cert, gradeWords: 'GEM MT', gradeNumber: '10', gradeKey: 'psa-10' };
  const { jpeg } = await photographSlab(1035, 'PSA', { longSidePx: 1200, cards: [world.pictures[2]!], print });
  return eventsOf((await world.send('/v1/graded/by-image', [jpeg])).text);
}

describe('the stages of a photo whose cert is valued on the way', () => {
  test.each([
    ['that a grader knows, of a card that only the photo shows', '48881234'],
    ['that no grader knows', '48881235'],
  ])('%s: each once and in order, and the last agrees with the result', async (_, cert) => {
    const all = await events(cert);
    expectDocumented(all);
    const progress = all.slice(0, -1).map(({ data }) => data);
    const { event, data } = all.at(-1)!;
    expect(event).toBe('result');
    expect(data).toMatchObject({ found: true, card: { id: world.ids[2] } });
    const ends = progress.filter(({ done }) => done).map(({ stage }) => stage);
    expect(ends).toEqual(STAGES.filter((stage) => ends.includes(stage)));
    expect(ends).toEqual(expect.arrayContaining(['cert_lookup', 'identify', 'find_item', 'fmv', 'done']));
    const begins = progress.filter(({ status }) => status === 'running').map(({ stage }) => stage);
    expect(begins).toEqual([...new Set(begins)]);
    const found = progress.filter(({ stage, done }) => stage === 'find_item' && done);
    expect(found).toMatchObject([{ status: 'ok' }]);
    expect(progress.at(-1)).toMatchObject({ stage: 'done', message: 'The slab is priced.', data: { found: true } });
  });
});
