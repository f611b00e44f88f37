import { GRADES, gradeByKey } from '../catalog/grades.ts';
import { parseItemSegment } from '../catalog/slug.ts';
import type { Db, Sql } from '../db/client.ts';
import { ProblemError } from '../http/problem.ts';
import { type ItemRow, itemHref } from '../items/item-row.ts';
import { type Located, locateById, locateBySlug } from '../items/locate.ts';
import { nearMiss } from '../lib/near-miss.ts';
import { quotesOf } from '../pricing/read/quotes.ts';
import { CommandError, EXIT } from './world.ts';

/** The series that two arguments name, and the grades of its item that have a sale or a cert. */
export type NamedSeries = { item: ItemRow; gradeKey: string; soldKeys: readonly string[] };

/**
 * The series of an item (its id, or the path of its page) and a grade as in a slug. Throws CommandError with what may have
 * been meant.
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

const PAGE_PATH = /^\/card\/([^/]+)\/([^/]+)\/([^/]+)$/;

async function itemNamed(db: Db, text: string): Promise<Located> {
  const [, game, set, segment] = PAGE_PATH.exec(text) ?? [];
  try {
    if (game === undefined) return await locateById({ db }, text);
    return await locateBySlug({ db }, game, set!, segment!);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    if (game === undefined && error.code === 'not_found')
      throw new CommandError(
        `no item has the id "${text}"; an item is named by its id or by the path of its page, /card/…`,
        EXIT.usage,
      );
    const { candidates, replacedBy } = error.extra as { candidates?: string[]; replacedBy?: string | null };
    const near = error.code === 'not_found' ? await nearPaths(db, game!, set!, segment!) : [];
    const meant = candidates ?? (replacedBy ? [replacedBy] : near);
    const guess = meant.length === 0 ? '' : ` Did you mean ${meant.join(' or ')}?`;
    throw new CommandError(`${text}: ${error.message}${guess}`, EXIT.usage);
  }
}

/** The path of the card whose set and name are nearest to those of a path, if they are near. */
async function nearPaths(sql: Sql, game: string, set: string, segment: string): Promise<string[]> {
  const segments = await sql.query<{ segment: string }>('select segment from sets where game = $1', [game]);
  const nearSet = nearMiss(
    set,
    segments.map((one) => one.segment),
  );
  const rows = await sql.query<Parameters<typeof itemHref>[0]>(
    `select i.game, s.segment as set_segment, i.stem, i.language, i.id8 from items i join sets s on s.id = i.set_id
     where i.game = $1 and s.segment = $2 and i.removed_at is null order by i.id`,
    [game, nearSet],
  );
  const stems = rows.map(({ stem }) => stem);
  const stem = parseItemSegment(segment)
    .map((reading) => nearMiss(reading.stem, stems))
    .find((one) => one !== null);
  return rows.filter((row) => row.stem === stem).map((row) => itemHref(row, null));
}
