import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventId } from '../../src/graded/runs/event-id.ts';
import { type ImageWorld, imageWorld } from '../search/photo/image-world.ts';
import { closeDays, manySales } from '../support/builders.ts';
import { formOf, MULTIPART } from '../support/multipart.ts';
import type { LabelPrint } from '../support/photos/slab-label.ts';
import { photographSlab } from '../support/photos/slabs.ts';
import { aCert } from '../support/servers/certs.ts';

// A photo takes seconds of CPU, which a busy machine gives in minutes.
vi.setConfig({ testTimeout: 120_000 });

let world: ImageWorld;
let prices: number;
/** Of a cert that is tracked. */
let tracked: Buffer;
beforeAll(async () => {
  world = await imageWorld(12);
  tracked = await slab({ cert: '39663405' });
  const { db } = world.database;
  for (const itemId of world.ids.slice(0, 6)) await manySales(db, { itemId });
  await closeDays(db);
  prices = (await world.api.get(`/v1/items/by-id/${world.ids[2]}`)).json.priceUsdCents;
});
afterAll(() => world.close());

/** Item 3 of the catalog in a slab of PSA. */
const CARD = { name: 'Card 3', year: 1999, game: 'Pokemon', set: 'Base', number: '3', variety: '' };
const GEM = { gradeWords: 'GEM MT', gradeNumber: '10', gradeKey: 'psa-10' };
const SEED = 1035;
const LONG_SIDE_PX = 1200;

async function slab(print: Partial<LabelPrint>): Promise<Buffer> {
  const printed = { card: CARD, barcode: null, ...GEM, ...print };
  const cards = [world.pictures[2]!];
  return (await photographSlab(SEED, 'PSA', { longSidePx: LONG_SIDE_PX, cards, print: printed })).jpeg;
}

// biome-ignore lint/suspicious/noExplicitAny: events of every shape
type Event = { id: string; name: string; data: any };

/** Sends a photo; the events of the stream. */
async function send(
  photo: Buffer | string,
  lastEventId?: string,
): Promise<{ status: number; events: Event[]; json: Record<string, unknown> }> {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  const { status, text, json } = await world.send('/v1/graded/by-image', [photo], undefined, headers);
  const events = [...text.matchAll(/^id: (.+)\nevent: (.+)\ndata: (.+)$/gm)].map(([, id, name, data]) => ({
    id: id!,
    name: name!,
    data: JSON.parse(data!),
  }));
  return { status, events, json };
}

const BANDS = ['low', 'medium', 'high', 'prime'];
/** The least score of each band. */
const LEAST = [0, 0.5, 0.8, 0.9];

/** The card of a photo has the confidence of its cert one band lower, and a score below the band that was left. */
async function expectLowered(cert: string, { card }: Event['data']): Promise<void> {
  const { json } = await world.api.get(`/v1/graded/${cert}`);
  const recorded = BANDS.indexOf(json.card.confidence);
  expect(recorded).toBeGreaterThan(0);
  expect(card.id).toBe(json.card.id);
  expect(BANDS.indexOf(card.confidence)).toBe(recorded - 1);
  expect(card.confidenceScore).toBeLessThan(LEAST[recorded]!);
}

/** The one last event. */
async function endOf(photo: Buffer): Promise<Event> {
  const { status, events } = await send(photo);
  expect(status).toBe(200);
  expect(events.filter(({ name }) => name !== 'progress')).toHaveLength(1);
  return events.at(-1)!;
}

describe('POST /v1/graded/by-image', () => {
  test('a slab with a tracked cert is answered as the cert is, with the evidence of the photo, after its progress', async () => {
    await aCert(world.database.db, { certNumber: '39663405', itemId: world.ids[2]! });
    const { status, events } = await send(tracked);
    expect(status).toBe(200);
    expect(events[0]).toMatchObject({ name: 'progress', data: { stage: 'cert_lookup', status: 'running' } });
    expect(events[1]).toMatchObject({
      name: 'progress',
      data: { stage: 'cert_lookup', data: { cert: 'PSA39663405' } },
    });
    expect(events.slice(0, -1).every(({ name }) => name === 'progress')).toBe(true);
    const { name, data } = events.at(-1)!;
    const { evidence, ...lookup } = data;
    expect(name).toBe('result');
    expect(lookup).toEqual((await world.api.get('/v1/graded/39663405')).json);
    expect(evidence).toMatchObject({ company: 'PSA', cert: 'PSA39663405', gradeLabel: 'PSA 10' });
    const checks = evidence.checks as { check: string; agrees: boolean | null }[];
    expect(checks.map(({ check, agrees }) => [check, agrees])).toEqual([
      ['cert', null],
      ['grade', true],
      ['label', true],
      ['art', true],
    ]);
  });

  test('a stream that broke off goes on behind the last event that was seen of the same photo', async () => {
    const whole = await send(tracked);
    const again = await send(tracked, whole.events[1]!.id);
    expect(again.status).toBe(200);
    expect(again.events).toEqual(whole.events.slice(2));
    // Where reading it again takes fewer steps than were seen, its end is sent all the same.
    const photo = `photo ${createHash('sha256').update(tracked).digest('base64url')}`;
    const later = eventId(world.api.context.fingerprint, photo, { runId: 0, place: 99, isLast: false });
    expect((await send(tracked, later)).events).toEqual(whole.events.slice(-1));
    const over = await send(tracked, whole.events.at(-1)!.id);
    expect([over.status, over.events]).toEqual([204, []]);
  });

  test('an id of another photo, or of nobody, leaves the stream whole', async () => {
    const [{ events }, other] = await Promise.all([send(tracked), send(await slab({ cert: '48881234' }))]);
    for (const id of [other.events[1]!.id, other.events.at(-1)!.id, 'photo-2', `${events[1]!.id}x`])
      expect((await send(tracked, id)).events).toEqual(events);
  });

  test('barcode and print that differ are not a cert: the card comes from its picture, with less confidence', async () => {
    const { data } = await endOf(await slab({ cert: '39663405', barcode: { kind: 'Code128', text: '39663465' } }));
    expect(data).toMatchObject({
      cert: '',
      company: 'PSA',
      found: true,
      gradeLabel: 'PSA 10',
      card: { id: world.ids[2], priceUsdCents: prices },
      evidence: { cert: null },
    });
    await expectLowered('39663405', data);
  });

  test('a cert of which nothing is known keeps its number, and its card is seen', async () => {
    const { data } = await endOf(await slab({ cert: '48881234' }));
    expect(data).toMatchObject({
      cert: 'PSA48881234',
      certNumber: '48881234',
      found: true,
      card: { id: world.ids[2] },
    });
    const grade = data.evidence.checks.find(({ check }: { check: string }) => check === 'grade');
    expect(grade).toMatchObject({
      compared: false,
      agrees: null,
      detail: expect.not.stringContaining('the record PSA'),
    });
  });

  test('a grade that differs from the record is said, and lowers the confidence', async () => {
    await aCert(world.database.db, { certNumber: '57772345', itemId: world.ids[2]! });
    const mint = { cert: '57772345', gradeWords: 'MINT', gradeNumber: '9', gradeKey: 'psa-9' };
    const { data } = await endOf(await slab(mint));
    expect(data.warning).toContain('The label says PSA 9, the record PSA 10.');
    expect(data).toMatchObject({ gradeLabel: 'PSA 10', evidence: { gradeLabel: 'PSA 9' } });
    await expectLowered('57772345', data);
  });

  test('the picture of another card than the record’s is said, and lowers the confidence', async () => {
    await aCert(world.database.db, { certNumber: '61234987', itemId: world.ids[4]! });
    const { data } = await endOf(await slab({ cert: '61234987' }));
    expect(data.warning).toContain('another card');
    await expectLowered('61234987', data);
  });

  test('a photo without a slab fails with advice', async () => {
    const { name, data } = await endOf(
      await sharp({ create: { width: 900, height: 900, channels: 3, background: '#557' } })
        .jpeg()
        .toBuffer(),
    );
    expect([name, data.error]).toEqual(['failed', 'image_unreadable']);
    expect(data.detail).toMatch(/label/);
  });

  test('what is not a photo, or a damaged one, is 400 before the stream opens', async () => {
    for (const bad of ['<svg/>', tracked.subarray(0, tracked.length / 2)] as const) {
      const { status, json, events } = await send(bad as Buffer);
      expect([status, json.error, events]).toEqual([400, 'upload_malformed', []]);
    }
    const { status } = await world.api.post('/v1/graded/by-image', formOf({ name: 'photo', bytes: tracked }), {
      headers: MULTIPART,
    });
    expect(status).toBe(400);
  });
});
