import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ReadCert, readCert } from '../../../src/catalog/cert.ts';
import { keepItem, keepRecord } from '../../../src/graded/certs/keep.ts';
import { knownCerts } from '../../../src/graded/certs/registry.ts';
import type { CertRecord } from '../../../src/graded/graders/grader.ts';
import { anExternalId, anItem } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

const LABEL = {
  text: '1999 Charizard',
  year: 1999,
  setText: '',
  cardNumber: null,
  subject: '',
  variety: null,
  language: null,
};
const RECORD: CertRecord = {
  label: LABEL,
  gradeText: 'GEM MT 10',
  isDeactivated: false,
  images: null,
  graderId: 'g',
  company: 'PSA',
  specId: null,
  population: null,
};
const NOW = Date.parse('2026-11-20T10:00:00Z');

function keep(cert: ReadCert, more: Partial<CertRecord>): Promise<void> {
  return keepRecord({ db: database.db, baseUrl: 'http://localhost:8080', clock: () => NOW }, cert, {
    ...RECORD,
    ...more,
  });
}

test('scans that this service serves are kept without its address, others as they are', async () => {
  const { db } = database;
  const cert = readCert('90000012') as ReadCert;
  const images = { front: 'http://localhost:8080/demo/art/pokemon/4.svg', back: 'http://localhost:80801/b.jpg' };
  await keep(cert, { images });
  const [known] = await knownCerts(db, [cert], 0);
  expect(known!.registered).toMatchObject({
    imageFront: '/demo/art/pokemon/4.svg',
    imageBack: 'http://localhost:80801/b.jpg',
  });
});

test('what changes in a record is kept, one row a field; what is stated first, or again, is not a change', async () => {
  const { db } = database;
  const cert = readCert('90000013') as ReadCert;
  await keep(cert, {});
  await keepItem(db, cert, await anItem(db));
  await keep(cert, {});
  await keep(cert, { gradeText: 'MINT 9', isDeactivated: true, label: { ...LABEL, text: '1999 Pokemon Charizard' } });
  const changes = await db.query(
    'select field, old, new, origin from cert_changes where cert_key = $1 order by field',
    [cert.key],
  );
  expect(changes).toEqual([
    { field: 'grade', old: 'GEM MT 10', new: 'MINT 9', origin: 'g' },
    { field: 'label', old: '1999 Charizard', new: '1999 Pokemon Charizard', origin: 'g' },
    { field: 'state', old: 'active', new: 'deactivated', origin: 'g' },
  ]);
  await expect(db.query(`delete from cert_changes where field = 'state'`)).rejects.toThrow('append-only');
});

test('the number of the card at its grader becomes an external id of the card, besides those of other certs', async () => {
  const { db } = database;
  const itemId = await anItem(db, { number: '7', name: 'Squirtle' });
  for (const [number, specId] of [
    ['90000014', '544028'],
    ['90000015', '544028'],
    ['90000016', '544029'],
    ['90000017', null],
  ] as const) {
    const cert = readCert(number) as ReadCert;
    await keep(cert, { specId });
    await keepItem(db, cert, itemId);
  }
  expect(await idsOf(itemId)).toEqual([{ space: 'own:psa-spec', ids: ['psa-spec 544028', 'psa-spec 544029'] }]);
});

test('what the operator states of the number stays', async () => {
  const { db } = database;
  const itemId = await anItem(db, { number: '8', name: 'Wartortle' });
  await anExternalId(db, { itemId, space: 'own:psa-spec', externalIds: ['psa-spec 7'] });
  const cert = readCert('90000018') as ReadCert;
  await keep(cert, { specId: '544030' });
  await keepItem(db, cert, itemId);
  expect(await idsOf(itemId)).toEqual([{ space: 'own:psa-spec', ids: ['psa-spec 7'] }]);
});

function idsOf(itemId: string) {
  return database.db.query('select space, external_ids as ids from item_sources where item_id = $1', [itemId]);
}
