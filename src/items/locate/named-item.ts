import { parseItemSegment } from '../../catalog/slug.ts';
import type { Db, Sql } from '../../db/client.ts';
import { ProblemError } from '../../http/problem.ts';
import { nearMiss } from '../../lib/near-miss.ts';
import { itemHref } from '../item-row.ts';
import { type Located, locateById, locateBySlug } from './locate.ts';

/** A text that names no item; the message says so, with what may have been meant. */
export class UnknownItem extends Error {
  override name = 'UnknownItem';
}

const PAGE_PATH = /^\/card\/([^/]+)\/([^/]+)\/([^/]+)$/;

/**
 * The item that a person names by its id, or by the path or address of its page.
 * @throws UnknownItem
 */
export async function itemNamed(db: Db, named: string): Promise<Located> {
  const text = named
    .trim()
    .replace(/^https?:\/\/[^/]+(?=\/card\/)/, '')
    .replace(/[?#].*$/, '');
  const [, game, set, segment] = PAGE_PATH.exec(text) ?? [];
  try {
    if (game === undefined) return await locateById({ db }, text);
    return await locateBySlug({ db }, game, set!, segment!);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    if (game === undefined && error.code === 'not_found')
      throw new UnknownItem(
        `no item has the id "${text}"; an item is named by its id or by the path of its page, /card/…`,
      );
    const { candidates, replacedBy } = error.extra as { candidates?: string[]; replacedBy?: string | null };
    const near = error.code === 'not_found' ? await nearPaths(db, game!, set!, segment!) : [];
    const meant = candidates ?? (replacedBy ? [replacedBy] : near);
    const guess = meant.length === 0 ? '' : ` Did you mean ${meant.join(' or ')}?`;
    throw new UnknownItem(`${text}: ${error.message}${guess}`);
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
