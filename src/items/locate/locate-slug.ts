import { GAMES, isGame } from '../../catalog/games.ts';
import { gradeByKey } from '../../catalog/grades.ts';
import { parseItemSegment, type SlugReading, stemBeforeGrade } from '../../catalog/slug.ts';
import type { Sql } from '../../db/client.ts';
import { notFound, type ProblemError, unknownGame } from '../../http/problem.ts';
import { quotesOf } from '../../pricing/read/quotes.ts';
import { ITEM_COLUMNS, type ItemRow, itemHref } from '../item-row.ts';

/** A located item, with the grade of the address where it has one. */
export type Located = {
  item: ItemRow;
  gradeKey: string | null;
  /** Named by slug: without a grade it then means all grades; an id means the representative one. */
  bySlug: boolean;
};

/** `isMisnamed`: the id token is the item's, the number and name before it are not. */
type FoundBySlug = Located & { isMisnamed: boolean };

const MAX_CANDIDATES = 5;

/**
 * Finds the item of an address by its slug, withdrawn ones too. With an id token the item is found by (game, set, token)
 * and the stem only decides between two that share it; without one exactly one item over all readings must fit. Throws
 * not_found with candidates: cards, or the grades of the card where the address names a grade that there is not.
 */
export async function findBySlug(sql: Sql, game: string, set: string, segment: string): Promise<FoundBySlug> {
  if (!isGame(game)) throw unknownGame(GAMES, game);
  const readings = parseItemSegment(segment);
  const ungraded = stemBeforeGrade(segment);
  const id8s = readings.map((one) => one.id8).filter((id8) => id8 !== null);
  const stems = readings.map((one) => one.stem);
  // An `or` of the two would search both indexes in every set of the catalog. Of an array that is a parameter itself the plan
  // would not be kept: with its length known, a new one looks cheaper each time.
  const rows = await sql.prepared<ItemRow>(
    'items_by_slug',
    `select ${ITEM_COLUMNS} from sets s cross join lateral (
       select id from items where set_id = s.id and id8 = any((select $3::text[])::text[])
       union
       select id from items where set_id = s.id and stem = any((select $4::text[])::text[])
     ) fits join items i on i.id = fits.id
     where s.game = $1 and s.segment = $2
     order by i.id8 = any($3::text[]) desc, i.removed_at is not null, i.id limit 200`,
    [game, set, id8s, ungraded === null ? stems : [...stems, ungraded]],
  );
  const pinned = rows.filter((row) => id8s.includes(row.id8));
  const found = pinned.length > 0 ? pickPinned(pinned, readings) : pickNamed(rows, readings);
  if (found !== null) return { ...found, bySlug: true, isMisnamed: false };
  const named = onlyOf(pinned);
  const meant = named ?? onlyOf(rows.filter(({ stem }) => stem === ungraded));
  if (meant !== null && namesUnknownGrade(meant, readings, ungraded)) throw await unknownGrade(sql, meant);
  if (named !== null) return { item: named, gradeKey: gradeOf(readings), bySlug: true, isMisnamed: true };
  const candidates = rows.slice(0, MAX_CANDIDATES).map((row) => itemHref(row, null));
  if (candidates.length === 0)
    throw notFound('No card has this address; copy the path of the card’s page, its `href`.');
  throw notFound('This address fits several cards, or none exactly; the candidates are addresses of cards.', {
    candidates,
  });
}

type Picked = Pick<Located, 'item' | 'gradeKey'>;

/** The one item of the id token whose stem a reading has. */
function pickPinned(pinned: readonly ItemRow[], readings: readonly SlugReading[]): Picked | null {
  for (const { id8, stem, gradeKey } of readings) {
    const item = id8 === null ? null : onlyOf(pinned.filter((row) => row.stem === stem));
    if (item !== null) return { item, gradeKey };
  }
  return null;
}

/** The only item over all readings. */
function pickNamed(rows: readonly ItemRow[], readings: readonly SlugReading[]): Picked | null {
  const fits = readings
    .filter((reading) => reading.id8 === null)
    .flatMap((reading) =>
      rows
        .filter((row) => row.stem === reading.stem && row.language === (reading.language ?? 'English'))
        .map((item) => ({ item, gradeKey: reading.gradeKey })),
    );
  const item = onlyOf([...new Set(fits.map((fit) => fit.item))]);
  return fits.find((fit) => fit.item === item) ?? null;
}

/** True where something other than a grade of the scale or a language is behind the stem, or a grade-like end is left. */
function namesUnknownGrade(item: ItemRow, readings: readonly SlugReading[], ungraded: string | null): boolean {
  if (readings.some(({ stem }) => stem.startsWith(`${item.stem}-`))) return true;
  return ungraded !== null && gradeOf(readings) === null;
}

function gradeOf(readings: readonly SlugReading[]): string | null {
  return readings.find(({ gradeKey }) => gradeKey !== null)?.gradeKey ?? null;
}

/** 404 with the addresses of the grades that the card has, highest price first; its own address where it has none. */
async function unknownGrade(sql: Sql, item: ItemRow): Promise<ProblemError> {
  const quotes = (await quotesOf(sql, [item.id])).get(item.id) ?? [];
  const keys = quotes
    .toSorted((a, b) => (b.priceUsdCents ?? 0) - (a.priceUsdCents ?? 0))
    .map(({ gradeKey }) => gradeKey);
  const labels = keys.map((key) => gradeByKey(key)!.label);
  const there =
    labels.length === 0 ? 'no grade of this card is known yet' : `of this card there are ${labels.join(', ')}`;
  return notFound(`The address does not end in a grade of the scale; ${there}.`, {
    candidates: (keys.length === 0 ? [null] : keys).map((key) => itemHref(item, key)),
  });
}

/** The only one, or the only one that is still in the catalog: a withdrawn twin takes no address from it. */
function onlyOf(items: readonly ItemRow[]): ItemRow | null {
  const live = items.filter(({ removed_at }) => removed_at === null);
  const [first, ...others] = live.length > 0 ? live : items;
  return others.length === 0 ? (first ?? null) : null;
}
