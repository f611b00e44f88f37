import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp } from '../../support/app.ts';
import { anItem, aSet } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { aCertMiss } from '../../support/servers/certs.ts';
import { certsWorld, importInto, storedCerts, writeLines } from './certs-world.ts';

let database: FreshDatabase;
let folder: string;
let charizard: string;
let shadowless: string;
let mewtwo: string;
let href: string;
let remove: () => void;

beforeAll(async () => {
  database = await freshDatabase();
  ({ folder, charizard, shadowless, mewtwo, href, remove } = await certsWorld(database.db));
});
afterAll(async () => {
  remove();
  await database.close();
});

const write = (name: string, lines: readonly unknown[]) => writeLines(folder, name, lines);
const importFiles = (format: string, ...paths: string[]) => importInto(database.db, folder, format, paths);
const certs = (...keys: string[]) => storedCerts(database.db, keys);

describe('the own format', () => {
  test('registers certs by catalog id, address, upstream id or label', async () => {
    const { report, problems } = await importFiles(
      'mintmark',
      write('own.csv', [
        'cert,company,itemId,href,upstreamItemId,label,grade,state',
        `30000001,,${charizard.toUpperCase()},,,,GEM MT 10,`,
        `0030000002,Beckett,,${href},,,9.5-Gem Mint,`,
        'CGC-30000003,,,,inv-4,,PRISTINE 10,deactivated',
        'PSA 30000004,PSA,,,,1999 POKEMON GAME #4 CHARIZARD-HOLO SHADOWLESS,MINT 9 (OC),active',
      ]),
    );
    expect(problems).toEqual([]);
    expect(report).toMatchObject({ rows: 4, added: 4, outsideScale: 1, withoutCard: {} });
    const origin = 'own.csv';
    const game = 'pokemon';
    expect(await certs('30000001', '30000002', '30000003', '30000004')).toEqual([
      {
        company: 'PSA',
        cert_number: '30000001',
        item_id: charizard,
        grade_key: 'psa-10',
        grade_label: 'GEM MT 10',
        game,
        state: 'active',
        origin,
      },
      {
        company: 'BGS',
        cert_number: '0030000002',
        item_id: mewtwo,
        grade_key: 'bgs-9-5',
        grade_label: '9.5-Gem Mint',
        game,
        state: 'active',
        origin,
      },
      {
        company: 'CGC',
        cert_number: '30000003',
        item_id: charizard,
        grade_key: 'cgc-10',
        grade_label: 'PRISTINE 10',
        game,
        state: 'deactivated',
        origin,
      },
      {
        company: 'PSA',
        cert_number: '30000004',
        item_id: shadowless,
        grade_key: null,
        grade_label: 'MINT 9 (OC)',
        game,
        state: 'active',
        origin,
      },
    ]);
  });

  test('is NDJSON too', async () => {
    const rows = [
      { cert: '30000005', itemId: charizard, grade: '8', year: 1999 },
      { cert: 'SGC30000006', itemId: mewtwo },
    ];
    expect((await importFiles('mintmark', write('own.ndjson', rows))).report).toMatchObject({ added: 2, rejected: 0 });
    expect(await certs('30000005', '30000006')).toMatchObject([
      { company: 'PSA', grade_key: 'psa-8' },
      { company: 'SGC', item_id: mewtwo, grade_key: null },
    ]);
  });

  test('a mistake is reported with its line, and the other rows count', async () => {
    const { report, problems } = await importFiles(
      'mintmark',
      write('mistakes.ndjson', [
        { cert: '1.40102E+12', company: 'CGC' },
        { cert: '30000010', company: 'ABC' },
        { cert: 'PSA30000010', company: 'CGC' },
        { cert: '30000010', itemId: 'x' },
        { cert: '30000010', itemId: charizard, href },
        { cert: '30000010', href: '/v1/items/x' },
        { cert: '30000010', state: 'voided' },
        { cert: '30000010', year: '99' },
        { cert: '30000010', game: 'One Piece' },
        { cert: '30000010', price: '10' },
        { cert: 30000010 },
        '[1]',
        { cert: '30000011', itemId: '00000000-0000-4000-8000-000000000000' },
        { cert: '30000012', upstreamItemId: 'nowhere' },
        { cert: '30000013', imageFront: 'ftp://scans.example/1.jpg' },
        { cert: '30000014', imageBack: 'missing.jpg' },
        { cert: '30000015', itemId: charizard },
      ]),
    );
    expect(report).toMatchObject({ rows: 17, added: 1, rejected: 16 });
    expect(problems.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))).toEqual([
      '1: cert "1.40102E+12" is not a cert number: 5 to 20 digits, behind a grader\'s name or with one in company',
      '2: company "ABC" is not a grader that is known',
      '3: company says CGC, the cert PSA',
      '4: itemId "x" is not a UUID',
      '5: two columns name an item: one is enough',
      '6: href "/v1/items/x" is not a /card/… address',
      '7: state "voided" is neither active nor deactivated',
      '8: year "99" is not a year',
      '9: game "One Piece" is not a slug (one-piece)',
      '10: unknown field "price"',
      '11: cert is not text',
      '12: not a JSON object; NDJSON has one on each line',
      '13: no item has this itemId',
      '14: no item has this upstreamItemId',
      '15: imageFront "ftp://scans.example/1.jpg" is neither a web address nor a file',
      '16: imageBack: no such file',
    ]);
  });

  test('importing again changes nothing', async () => {
    const path = write('again.csv', ['cert,itemId,grade', `30000020,${charizard},9`, `30000021,${mewtwo},8`]);
    expect((await importFiles('mintmark', path)).report).toMatchObject({ added: 2, changed: 0, unchanged: 0 });
    expect((await importFiles('mintmark', path)).report).toMatchObject({ added: 0, changed: 0, unchanged: 2 });
  });

  test('what a later file leaves out stays as it was, a card above all', async () => {
    await importFiles('mintmark', write('1.csv', ['cert,itemId,grade', `30000022,${charizard},9`]));
    const { report } = await importFiles('mintmark', write('2.csv', ['cert,state', '30000022,deactivated']));
    expect(report).toMatchObject({ changed: 1, withoutCard: { not_identified: 1 } });
    const row = { item_id: charizard, grade_key: 'psa-9', grade_label: '9' };
    expect(await certs('30000022')).toMatchObject([{ ...row, state: 'deactivated', origin: '2.csv' }]);
    await importFiles('mintmark', write('3.csv', ['cert,grade', '30000022,AUTHENTIC']));
    expect(await certs('30000022')).toMatchObject([{ item_id: charizard, grade_key: null, state: 'deactivated' }]);
  });

  test('a cert that occurs twice is one, unless the rows differ: then each of them is rejected', async () => {
    const one = write('twice-1.csv', [
      'cert,itemId,grade',
      `30000030,${charizard},9`,
      `0030000030,${charizard},9`,
      `30000031,${charizard},9`,
    ]);
    const two = write('twice-2.csv', ['cert,itemId,grade', `30000031,${mewtwo},9`]);
    const { report, problems } = await importFiles('mintmark', one, two);
    expect(report).toMatchObject({ rows: 4, added: 1, repeated: 1, rejected: 2 });
    expect(problems).toEqual([
      '4: cert PSA30000031 occurs here and elsewhere with different words',
      '2: cert PSA30000031 occurs here and elsewhere with different words',
    ]);
    expect(await certs('30000031')).toEqual([]);
  });

  test('a label that does not identify one card leaves the cert without one, and says why', async () => {
    const { report } = await importFiles(
      'mintmark',
      write('labels.csv', [
        'cert,label,grade',
        '30000040,1999 POKEMON JUNGLE #60 PIKACHU,9',
        '30000041,1999 POKEMON GAME #4 CHARIZARD-HOLO 1ST EDITION,9',
        '30000042,INVALID,9',
      ]),
    );
    expect(report).toMatchObject({
      added: 3,
      withoutCard: { card_unknown: 1, variation_unknown: 1, number_missing: 1 },
    });
    expect((await certs('30000040', '30000041', '30000042')).map(({ item_id }) => item_id)).toEqual([null, null, null]);
  });

  test('a card of theirs is found when the catalog has it and the file is imported again', async () => {
    const path = write('later.csv', ['cert,label,grade', '30000043,1999 POKEMON JUNGLE #3 FLAREON-HOLO,9']);
    await importFiles('mintmark', path);
    const jungle = await aSet(database.db, { name: 'Jungle', code: 'base2' });
    const flareon = await anItem(database.db, { set: jungle, number: '3', name: 'Flareon', year: 1999 });
    expect((await importFiles('mintmark', path)).report).toMatchObject({ changed: 1, withoutCard: {} });
    expect(await certs('30000043')).toMatchObject([{ item_id: flareon }]);
  });

  test('what was said of a cert in the negative is forgotten', async () => {
    await aCertMiss(database.db, { certKey: '30000044', reason: 'needs_photo', since: '2026-06-30T07:00:00Z' });
    await importFiles('mintmark', write('miss.csv', ['cert,itemId,grade', `30000044,${charizard},9`]));
    expect(await database.db.query(`select from cert_misses where cert_key = '30000044'`)).toEqual([]);
  });
});

test('a running server forgets what it answered before', async () => {
  await importFiles('mintmark', write('before.csv', ['cert,itemId,grade', `30000045,${charizard},9`]));
  const api = await testApp(database.db, { cacheMb: 8 });
  const reason = async () => (await api.get('/v1/graded/30000045')).json.reason;
  expect(await reason()).toBe('no_grade_price');
  await importFiles('mintmark', write('after.csv', ['cert,state', '30000045,deactivated']));
  await expect.poll(reason).toBe('deactivated');
  await api.app.close();
});
