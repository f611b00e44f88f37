import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseDay } from '../../../src/lib/day.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { anImport, anItem, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { aCert } from '../../support/servers/certs.ts';

let database: FreshDatabase;
let api: TestApp;
beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const charizard = await anItem(db, { number: '4', name: 'Charizard' });
  const squirtle = await anItem(db, { number: '7', name: 'Squirtle' });
  await manySales(db, { itemId: charizard });
  await closeDays(db);
  const importId = await anImport(db, 'population');
  for (const [day, grade, count] of [
    ['2026-05-01', 'psa-10', 20],
    ['2026-06-10', 'psa-10', 25],
    ['2026-06-10', 'psa-9', 100],
    ['2026-06-10', 'psa-8', 375],
  ] as const)
    await db.query(
      `insert into populations (item_id, company, day, grade, count, source, import_id) values ($1, 'PSA', $2, $3, $4, 'report', $5)`,
      [charizard, parseDay(day), grade, count, importId],
    );
  await aCert(db, { certNumber: '50000001', itemId: charizard, gradeKey: 'psa-9' });
  await aCert(db, { certNumber: '50000002', itemId: charizard, gradeKey: 'psa-9' });
  await aCert(db, { certNumber: '50000003', itemId: squirtle, gradeKey: 'psa-10' });
  await aCert(db, { certNumber: '50000004', itemId: squirtle, gradeKey: 'psa-10' });
  const counted = (key: string, atGrade: number, higher: number, day: string) =>
    db.query(
      'update certs set population_at_grade = $2, population_higher = $3, population_day = $4 where cert_key = $1',
      [key, atGrade, higher, parseDay(day)],
    );
  await counted('50000001', 90, 24, '2026-06-10');
  await counted('50000002', 104, 26, '2026-06-11');
  await counted('50000003', 1234, 0, '2026-06-11');
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

const REPORT = {
  total: 500,
  atGrade: 100,
  higher: 25,
  gemRate: { value: 0.05, low: expect.closeTo(0.0341, 3), high: expect.closeTo(0.0727, 3) },
  asOf: '2026-06-10',
  source: 'report',
  growth: { since: '2026-05-01', added: 480 },
};
const partOf = (atGrade: number, higher: number) => ({
  total: null,
  atGrade,
  higher,
  gemRate: null,
  asOf: '2026-06-11',
  source: 'psa',
  growth: null,
});

test('a slab has the newest imported report, or what its grader reported later with the cert; none without either', async () => {
  const certs = ['50000001', '50000002', '50000003', '50000004'];
  const { results } = (await api.get(`/v1/graded?certs=${certs.join(',')}`)).json;
  const populations = results.map(({ population }: { population?: unknown }) => population);
  expect(populations).toEqual([REPORT, partOf(104, 26), partOf(1234, 0), undefined]);
  expect((await api.get('/v1/graded/50000001')).json.population).toEqual(REPORT);
});

test('its page and the Markdown twin say so', async () => {
  const words = async (path: string) =>
    /\d[^\n<]* in PSA [^\n<]*/.exec((await api.get(path, { accept: 'text/html' })).text)?.[0];
  const report =
    '500 of PSA, 100 of them in PSA 9 and 25 higher; 5.0% graded 10 (3.4% to 7.3%); 480 more since 1 May 2026; as of 10 Jun 2026';
  expect(await words('/cert/PSA50000001')).toBe(report);
  expect(await words('/cert/PSA50000003')).toBe('1,234 in PSA 10 and 0 higher; as of 11 Jun 2026');
  expect((await api.get('/cert/PSA50000001.md')).text).toContain(`Slabs: ${report}`);
});
