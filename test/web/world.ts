import type { Db } from '../../src/db/client.ts';
import { anItem, aSale, aSet, closeDays, manySales } from '../support/builders.ts';
import { aCert } from '../support/servers/certs.ts';

export const HOSTILE_NAME = `</script><script>alert(1)</script> "'&<!-- \u202Eevil ${'long'.repeat(60)} 🂡`;

/** Cards in every state: priced, by an unconfirmed move too, unpriced, without any grade, with a hostile name; a cert; sets. */
export async function pageWorld(db: Db): Promise<{ items: Record<string, string> }> {
  const set = await aSet(db, { name: 'Base', code: 'base1' });
  const priced = await anItem(db, { set, number: '4', name: 'Charizard' });
  await manySales(db, { itemId: priced });
  await aSale(db, { itemId: priced, sold: '2026-06-20', usdCents: 1, rejection: 'absurd_price' });
  const hostile = await anItem(db, { set, number: '5', name: HOSTILE_NAME });
  await manySales(db, { itemId: hostile });
  const unpriced = await anItem(db, { set, number: '6', name: 'Seldom' });
  await aSale(db, { itemId: unpriced, sold: '2024-01-01', usdCents: 900_00 });
  const unconfirmed = await anItem(db, { set, number: '8', name: 'Moved Once' });
  await aSale(db, { itemId: unconfirmed, sold: '2026-01-10', usdCents: 430_00 });
  await aSale(db, { itemId: unconfirmed, sold: '2026-06-20', usdCents: 1_435_00 });
  const unsold = await anItem(db, { set, number: '7', name: 'Never Sold', language: 'Japanese' });
  await closeDays(db);
  await aCert(db, { certNumber: '20000000', itemId: priced });
  return { items: { priced, hostile, unpriced, unconfirmed, unsold } };
}
