import { expect, test } from 'vitest';
import { type NewCert, registerCerts } from '../../src/graded/certs/register.ts';
import { testApp } from '../support/app.ts';
import { anItem, closeDays, manySales } from '../support/builders.ts';
import { freshDatabase } from '../support/database/database.ts';
import { aCert } from '../support/servers/certs.ts';

test('what was published of a grade that only a cert has stays, after the grader has voided the cert', async () => {
  const fresh = await freshDatabase();
  const { db } = fresh;
  const id = await anItem(db);
  await manySales(db, { itemId: id });
  // What the two grades are worth of each other.
  for (let n = 10; n < 25; n++) {
    const itemId = await anItem(db, { number: String(n) });
    await manySales(db, { itemId, from: '2026-01-01' });
    await manySales(db, { itemId, from: '2026-01-01', gradeKey: 'psa-9', usdCents: 40_00 });
  }
  await aCert(db, { certNumber: '88812345', itemId: id, gradeKey: 'psa-9', gradeLabel: 'MINT 9' });
  await closeDays(db, '2026-06-29');
  const paths = [
    `/v1/receipts/${id}/psa-9/2026-06-28`,
    `/v1/items/by-id/${id}/overview?asOf=2026-06-28`,
    `/v1/changes?after=2026-04-20&market=1`,
  ];
  const answers = async () => {
    const api = await testApp(db);
    const texts = [];
    for (const path of paths) texts.push((await api.get(path)).text);
    const { grades } = (await api.get(`/v1/items/by-id/${id}/overview`)).json;
    await api.app.close();
    return { texts, now: grades.map(({ gradeLabel }: { gradeLabel: string }) => gradeLabel) };
  };
  const before = await answers();
  expect(before.now).toContain('PSA 9');
  expect(before.texts[0]).toContain('"published":{"confidenceScore":0');
  const named = { cert: { company: 'PSA', key: '88812345', certNumber: '88812345' }, itemId: id, state: 'deactivated' };
  const known = {
    gradeKey: null,
    gradeLabel: null,
    label: null,
    game: null,
    year: null,
    imageFront: null,
    imageBack: null,
  };
  const voided = { ...named, ...known } as unknown as NewCert;
  await db.transaction((session) => registerCerts(session, [voided], { origin: 'test', importId: null }));
  const after = await answers();
  expect(after.now).not.toContain('PSA 9');
  expect(after.texts).toEqual(before.texts);
  await fresh.close();
});
