import type { Db } from '../../src/db/client.ts';
import { anIndex, anItem, aSale, aSet, aVoid, manySales } from '../support/builders.ts';

export const BASE_DAY = '2026-04-01';
export const LAST_DAY = '2026-06-29';

/** Cards of an index, each with a story of its own. */
export type RotatingIndex = {
  /** Left the basket of June: it had not sold since March. */
  fading: string;
  /** Came in June: it first sold in March. */
  newcomer: string;
  /** Left in May: every sale of it was voided. */
  voided: string;
  /** Sold for 40% more in the last week. */
  jumper: string;
};

/** An index of three rotations, closed through `LAST_DAY`. */
export async function rotatingIndex(db: Db): Promise<RotatingIndex> {
  const set = await aSet(db, { name: 'Jungle', code: 'base2' });
  const fading = await anItem(db, { set, number: '1', name: 'Fading' });
  await manySales(db, { itemId: fading, from: '2025-11-01', to: '2026-03-05', everyDays: 4, usdCents: 500_00 });
  const newcomer = await anItem(db, { set, number: '4', name: 'Newcomer' });
  await manySales(db, { itemId: newcomer, from: '2026-03-20', to: LAST_DAY, everyDays: 4, usdCents: 700_00 });
  const voided = await anItem(db, { set, number: '2', name: 'Voided' });
  for (let month = 1; month <= 5; month++) {
    for (const dayOfMonth of ['02', '06']) {
      const sold = `2026-0${month}-${dayOfMonth}`;
      await aVoid(db, await aSale(db, { itemId: voided, sold, usdCents: 600_00 }), 'voided', '2026-05-10');
    }
  }
  const jumper = await anItem(db, { set, number: '3', name: 'Jumper' });
  await manySales(db, { itemId: jumper, from: '2026-01-01', to: '2026-06-20', everyDays: 2, usdCents: 300_00 });
  for (const sold of ['2026-06-25', '2026-06-26', '2026-06-27']) {
    await aSale(db, { itemId: jumper, sold, usdCents: 420_00, source: sold === '2026-06-26' ? 'house' : 'ebay' });
  }
  await anIndex(db, { day: LAST_DAY });
  return { fading, newcomer, voided, jumper };
}
