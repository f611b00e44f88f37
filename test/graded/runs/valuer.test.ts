import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readCert } from '../../../src/catalog/cert.ts';
import { readConfig } from '../../../src/config.ts';
import { openValuer } from '../../../src/graded/runs/valuer.ts';
import { openTitleBook } from '../../../src/sales/titles.ts';
import { anItem, closeDays, manySales } from '../../support/builders.ts';
import { freshDatabase } from '../../support/database/database.ts';
import { aCert } from '../../support/servers/certs.ts';

test('a valuer on a plain database, as in a worker, reads the markets once for a close', async () => {
  const { db, close } = await freshDatabase();
  const itemId = await anItem(db, { number: '4', name: 'Charizard' });
  await manySales(db, { itemId });
  await closeDays(db);
  await aCert(db, { certNumber: '20000001', itemId });
  let reads = 0;
  const counted = {
    ...db,
    query: ((text, values) => {
      if (text.includes('market_days')) reads++;
      return db.query(text, values);
    }) as typeof db.query,
  };
  const valuer = await openValuer({
    config: readConfig({}),
    db: counted,
    log: pino({ level: 'silent' }),
    clock: Date.now,
    markets: [],
    titles: await openTitleBook(db),
  });
  const cert = readCert('20000001');
  if (cert.kind === 'invalid') throw new Error('no cert');
  for (let i = 0; i < 3; i++) expect((await valuer.soFar(cert)).found).toBe(true);
  expect(reads).toBe(1);
  await closeDays(db, '2026-06-30');
  expect((await valuer.soFar(cert)).found).toBe(true);
  expect(reads).toBe(2);
  await valuer.close();
  await close();
});
