import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCert } from '../../src/catalog/cert.ts';
import { storedLookups } from '../../src/graded/certs/stored.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { aCert } from '../support/servers/certs.ts';

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const charizard = await anItem(db, { number: '4', name: 'Charizard' });
  const mew = await anItem(db, { number: '8', name: 'Mew' });
  await manySales(db, { itemId: charizard });
  await closeDays(db);
  await aCert(db, { certNumber: '20000001', itemId: charizard });
  await aCert(db, { company: 'CGC', certNumber: '0020000002', itemId: mew, gradeKey: 'cgc-10' });
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

const bulk = (certs: string) => api.get(`/v1/graded?certs=${encodeURIComponent(certs)}`);

describe('many certs', () => {
  test('are answered in the order of the request, repeats included, those not stored with found: false', async () => {
    const { status, json } = await bulk('29999999,CGC 20000002, psa20000001,SGC123456,20000001,29999999');
    expect(status).toBe(200);
    const answers = json.results.map(({ cert, found, reason }: Record<string, unknown>) => [cert, found, reason]);
    expect(answers).toEqual([
      ['PSA29999999', false, 'not_ingested'],
      ['CGC0020000002', false, 'no_grade_price'],
      ['PSA20000001', true, undefined],
      ['SGC123456', false, 'company_unsupported'],
      ['PSA20000001', true, undefined],
      ['PSA29999999', false, 'not_ingested'],
    ]);
  });

  test('are the same as each alone', async () => {
    const { json } = await bulk('20000001,CGC20000002');
    expect(json.results).toEqual([
      (await api.get('/v1/graded/20000001')).json,
      (await api.get('/v1/graded/CGC20000002')).json,
    ]);
  });

  test('take four statements, however many they are', async () => {
    const { db } = database;
    const statements: string[] = [];
    const counted = {
      ...db,
      prices: {},
      prepared: ((name, text, values) => {
        statements.push(name);
        return db.prepared(name, text, values);
      }) as typeof db.prepared,
      query: ((text, values) => {
        statements.push(text);
        return db.query(text, values);
      }) as typeof db.query,
    };
    const certs = ['20000001', 'CGC20000002', ...Array.from({ length: 48 }, (_, n) => String(21000000 + n))];
    const readings = certs.map(readCert).filter((reading) => reading.kind !== 'invalid');
    const ask = () => storedLookups({ db: counted, clock: api.context.clock }, readings);
    // The first call after a close also loads the markets.
    await ask();
    statements.length = 0;
    expect(await ask()).toHaveLength(50);
    expect(statements.sort()).toEqual(['known_certs', 'populations_of_items', 'pricing_rows_of_many', 'tags_of_items']);
  });

  test('are kept by caches only when each is stored', async () => {
    expect((await bulk('20000001,CGC20000002')).headers['cache-control']).toMatch(/^public/);
    expect((await bulk('20000001,29999999')).headers['cache-control']).toBe('no-store');
  });

  test('over 50 are 400, and 50 are not', async () => {
    const certs = Array.from({ length: 51 }, (_, n) => String(10 ** 19 + n * 1e6));
    expect(
      (
        await bulk(
          certs
            .slice(0, 50)
            .map((cert) => `BECKETT ${cert}`)
            .join(),
        )
      ).status,
    ).toBe(200);
    const { status, json } = await bulk(certs.join());
    expect(status).toBe(400);
    expect(json).toMatchObject({ error: 'invalid_parameter', errors: [{ parameter: 'certs' }] });
  });

  test('with invalid certs are 400, and each of those is named', async () => {
    const { status, json } = await bulk('20000001,1.40102E+12,20000001,cert');
    expect(status).toBe(400);
    expect(json.error).toBe('invalid_cert');
    expect(json.errors).toMatchObject([
      {
        parameter: 'certs',
        code: 'invalid_cert',
        message: 'certs must be cert numbers; got "1.40102E+12" at place 2.',
      },
      { parameter: 'certs', code: 'invalid_cert', message: 'certs must be cert numbers; got "cert" at place 4.' },
    ]);
  });

  test.each(['/v1/graded', '/v1/graded?certs=', '/v1/graded?certs=20000001,', '/v1/graded?certs=1&certs=2'])(
    '%s is 400',
    async (path) => {
      expect((await api.get(path)).status).toBe(400);
    },
  );
});
