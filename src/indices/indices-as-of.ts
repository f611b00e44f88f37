import type { Sql } from '../db/client.ts';
import { notFound } from '../http/problem.ts';
import { formatDay } from '../lib/day.ts';
import { closeMomentOf } from '../pricing/store/item-rows-as-of.ts';
import { METHODOLOGY_VERSION } from './method/rules.ts';
import { type IndexRow, indexBySlug } from './rows.ts';

/** Indices as the close of a day left them, and whether that is all they will ever have of it. The day is closed. */
export async function indicesAsOf(
  sql: Sql,
  indices: readonly IndexRow[],
  day: number | null,
): Promise<{ indices: readonly IndexRow[]; isForGood: boolean }> {
  if (day === null) return { indices, isForGood: false };
  const [{ atMs }, days] = await Promise.all([
    closeMomentOf(sql, day),
    sql.prepared<{ slug: string; day: number; version: string }>(
      'indices_as_of',
      `select n.slug, l.day, l.methodology_version as version from unnest($1::text[]) n(slug) cross join lateral (
         select day, methodology_version from index_levels where slug = n.slug and day <= $2 order by day desc limit 1
       ) l`,
      [indices.map(({ slug }) => slug), day],
    ),
  ]);
  return {
    indices: indices.map((index) => {
      const found = days.find(({ slug }) => slug === index.slug);
      return {
        ...index,
        methodologyVersion: found?.version ?? METHODOLOGY_VERSION,
        baseDay: found === undefined ? null : index.baseDay,
        lastDay: found?.day ?? null,
        asOf: { day, atMs },
      };
    }),
    // Indices close after the prices, perhaps by days; one that has not begun may begin with any of them.
    isForGood: indices.every(({ lastDay }) => lastDay !== null && day <= lastDay),
  };
}

/**
 * The index of a slug as the close of a day left it. Throws the 404 problems that say which there are, and which days of one that has
 * not closed the day yet.
 */
export async function indexBySlugAsOf(sql: Sql, slug: string, day: number | null) {
  const index = await indexBySlug(sql, slug);
  const { label, lastDay } = index;
  if (day !== null && lastDay !== null && day > lastDay)
    throw notFound(
      `The ${label} index has no level of ${formatDay(day)} yet; its last one is of ${formatDay(lastDay)}.`,
    );
  const { indices, isForGood } = await indicesAsOf(sql, [index], day);
  return { index: indices[0]!, isForGood };
}
