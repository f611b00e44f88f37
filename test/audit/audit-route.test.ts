import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decideSuspect } from '../../src/audit/decide-suspect.ts';
import { keepFound } from '../../src/audit/suspect-store.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSet } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
let api: TestApp;
let card: string;

const get = async (query = '') => await api.get(`/v1/audit${query}`);
const idsOf = ({ suspects }: { suspects: { id: number }[] }) => suspects.map(({ id }) => id);

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  card = await anItem(db);
  const other = await anItem(db, { set: await aSet(db, { game: 'mtg', name: 'Alpha', code: 'lea' }) });
  const found = Array.from({ length: 7 }, (_, at) => ({
    kind: 'grade_inversion' as const,
    subject: `subject ${at}`,
    game: at < 5 ? 'pokemon' : 'mtg',
    score: 0.8123456,
    series: [{ itemId: at < 5 ? card : other, gradeKey: at === 0 ? null : 'psa-9' }],
    evidence: [{ text: 'PSA 9 sells for 2 times the price of PSA 10.', data: { factor: 2 } }],
  }));
  await db.transaction((session) => keepFound(session, found, ['pokemon', 'mtg']));
  const [first] = await db.query<{ id: number }>(`select id from identity_suspects where subject = 'subject 0'`);
  await decideSuspect(db, first!.id, 'right', { by: 'ada', why: 'checked' });
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

describe('GET /v1/audit', () => {
  test('lists a suspect in exactly its shape', async () => {
    const { status, json } = await get('?state=decided');
    expect(status).toBe(200);
    expect(json).toEqual({
      suspects: [
        {
          id: expect.any(Number),
          kind: 'grade_inversion',
          items: [{ id: card, href: `/card/pokemon/base-base1/4-charizard-${card.slice(0, 8)}`, gradeLabel: null }],
          score: 0.812,
          evidence: [{ text: 'PSA 9 sells for 2 times the price of PSA 10.', data: { factor: 2 } }],
          foundAt: expect.stringMatching(/Z$/),
          state: 'decided',
          decision: 'right',
          decidedAt: expect.stringMatching(/Z$/),
        },
      ],
      nextCursor: null,
      hasMore: false,
    });
    const [open] = (await get('?state=open')).json.suspects;
    expect(open).toMatchObject({ items: [{ gradeLabel: 'PSA 9' }], state: 'open', decision: null, decidedAt: null });
  });

  test('goes through all of them by pages of any size, newest first', async () => {
    const all = idsOf((await get()).json);
    expect(all).toEqual([...all].sort((a, b) => b - a));
    for (const limit of [1, 3, 6, 7]) {
      const ids: number[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { json } = await get(`?limit=${limit}&after=${cursor}`);
        expect(json.hasMore).toBe(json.nextCursor !== null);
        ids.push(...idsOf(json));
        cursor = json.nextCursor;
      }
      expect(ids).toEqual(all);
    }
  });

  test('selects by game and state', async () => {
    const counts = async (query: string) => (await get(query)).json.suspects.length;
    expect(
      await Promise.all(['?game=mtg', '?game=pokemon', '?game=pokemon&state=open', '?game=gundam'].map(counts)),
    ).toEqual([2, 5, 4, 0]);
  });

  test.each([
    ['?after=x', 'invalid_cursor'],
    ['?after=-1', 'invalid_cursor'],
    ['?limit=101', 'invalid_parameter'],
    ['?limit=0', 'invalid_parameter'],
    ['?state=closed', 'invalid_parameter'],
    ['?game=chess', 'invalid_parameter'],
  ])('rejects %s', async (query, error) => {
    const { status, json } = await get(query);
    expect([status, json.error]).toEqual([400, error]);
  });
});
