import { GRADES, gradeByKey } from '../catalog/grades.ts';
import type { Db } from '../db/client.ts';
import type { ItemRow } from '../items/item-row.ts';
import { itemNamed } from '../items/locate/named-item.ts';
import { nearMiss } from '../lib/near-miss.ts';
import { quotesOf } from '../pricing/read/quotes.ts';
import { CommandError, EXIT } from './world.ts';

/** The series that two arguments name, and the grades of its item that have a sale or a cert. */
export type NamedSeries = { item: ItemRow; gradeKey: string; soldKeys: readonly string[] };

/**
 * The series of an item (its id, or the path of its page) and a grade as in a slug. Throws CommandError or UnknownItem with
 * what may have been meant.
 */
export async function seriesNamed(db: Db, itemText: string, gradeText: string): Promise<NamedSeries> {
  const { item, gradeKey: gradeOfPath } = await itemNamed(db, itemText);
  const quotes = (await quotesOf(db, [item.id])).get(item.id) ?? [];
  const soldKeys = quotes.map(({ gradeKey }) => gradeKey);
  const gradeKey = gradeByKey(gradeText)?.key;
  if (gradeKey === undefined) throw unknownGrade(gradeText, soldKeys);
  if (gradeOfPath !== null && gradeOfPath !== gradeKey)
    throw new CommandError(`the path is that of ${gradeOfPath}, the grade is ${gradeKey}`, EXIT.usage);
  return { item, gradeKey, soldKeys };
}

function unknownGrade(text: string, soldKeys: readonly string[]): CommandError {
  const keys = GRADES.map(({ key }) => key);
  const meant = nearMiss(text, soldKeys) ?? nearMiss(text, keys);
  const guess = meant === null ? '' : `; did you mean ${meant}?`;
  const there = soldKeys.length === 0 ? '' : ` This card has ${soldKeys.join(', ')}.`;
  return new CommandError(`"${text}" is not a grade such as psa-10${guess || '.'}${there}`, EXIT.usage);
}
