import type { AuditedItem } from '../../src/audit/game-book.ts';
import { type KeptSuspect, listSuspects } from '../../src/audit/suspect-store.ts';
import type { Db } from '../../src/db/client.ts';
import { quotesOf } from '../../src/pricing/read/quotes.ts';
import { bestRecall, type JudgedPair } from './audit-bound.ts';
import { ALL, type PlantedShift, type PlantedSwap } from './audit-plants.ts';

/** Recall is also shown by the factor by which the kinds of the two printings usually differ. */
const FACTORS = [1, 1.25, 1.5, 2, 3, 5];

/** What was planted. */
export type Planted = {
  shifts: PlantedShift[];
  /** With the log of the factor by which the kinds of both usually differ. */
  swaps: (PlantedSwap & { usualApart: number })[];
  offCurve: PlantedSwap[];
  factors: PlantedSwap[];
  /** Pairs of printings as an audit would judge them that knew how the market was drawn. */
  judged: JudgedPair[];
  /** Items that have sales of another one. */
  misplaced: Set<string>;
};

type Case = { itemIds: string[]; isFoundBy(suspect: KeptSuspect): boolean };

/** Prints recall and precision of each kind of suspect that an audit has kept. */
export async function report(
  db: Db & { prices: object },
  { shifts, swaps, offCurve, factors, judged, misplaced }: Planted,
  ids: readonly { stored: string; itemIds: [string, string] }[],
  inCatalogs: ReadonlySet<string>,
): Promise<void> {
  const suspects = await listSuspects(db, { before: null, limit: 100_000 });
  const subjects = new Map(
    (await db.query<{ id: number; subject: string }>('select id, subject from identity_suspects')).map((row) => [
      row.id,
      row.subject,
    ]),
  );
  const quotes = new Map<string, boolean>();
  const listed = [...new Set(suspects.flatMap(({ series }) => series.map(({ itemId }) => itemId)))];
  for (let at = 0; at < listed.length; at += 500)
    for (const [itemId, of] of await quotesOf(db, listed.slice(at, at + 500)))
      quotes.set(
        itemId,
        of.some(({ priceUsdCents }) => priceUsdCents !== null),
      );

  const cases = new Map<string, Case[]>();
  const idsOf = (swap: { items: readonly AuditedItem[] }) => swap.items.map(({ itemId }) => itemId);
  const bySubject = (kind: string, subject: string, itemIds: string[]): Case => ({
    itemIds,
    isFoundBy: (suspect) => suspect.kind === kind && subjects.get(suspect.id) === subject,
  });
  const byItem = (kind: string, itemIds: string[]): Case => ({
    itemIds,
    isFoundBy: (suspect) => suspect.kind === kind && suspect.series.some(({ itemId }) => itemIds.includes(itemId)),
  });
  const swapCases = (list: Planted['swaps']) =>
    list.map((swap) => bySubject('swapped_siblings', idsOf(swap).sort().join(' '), idsOf(swap)));
  const shiftCases = (list: readonly PlantedShift[]) =>
    list.map((shift) => bySubject('shifted_set', `${shift.setId} ${shift.language}`, shift.itemIds));
  cases.set(
    'shared ids',
    ids.map(({ stored, itemIds }) => bySubject('shared_id', stored, itemIds)),
  );
  cases.set('swaps, all', swapCases(swaps));
  for (const [isWhole, where] of [
    [true, 'all sources'],
    [false, 'one source'],
  ] as const) {
    const some = swaps.filter(({ source }) => (source === ALL) === isWhole);
    cases.set(`swaps, ${where}`, swapCases(some));
    for (const [at, from] of FACTORS.entries()) {
      const to = FACTORS[at + 1] ?? Number.POSITIVE_INFINITY;
      const within = some.filter(({ usualApart }) => Math.exp(usualApart) >= from && Math.exp(usualApart) < to);
      cases.set(
        `swaps, ${where}, × ${from}${to === Number.POSITIVE_INFINITY ? ' and more' : ` to ${to}`}`,
        swapCases(within),
      );
    }
  }
  cases.set('shifted sets, all', shiftCases(shifts));
  cases.set('shifted sets, all sources', shiftCases(shifts.filter(({ source }) => source === ALL)));
  cases.set('shifted sets, one source', shiftCases(shifts.filter(({ source }) => source !== ALL)));
  cases.set(
    'off curve',
    offCurve.map((swap) => byItem('off_curve', idsOf(swap))),
  );
  cases.set(
    'source factors',
    factors.map((swap) => byItem('source_factor', idsOf(swap))),
  );
  for (const [name, list] of cases) {
    const found = list.filter((one) => suspects.some(one.isFoundBy));
    const withheld = list.filter((one) => suspects.some((suspect) => suspect.isWithheld && one.isFoundBy(suspect)));
    const priced =
      name.startsWith('sh') || name.startsWith('sw')
        ? withheld.filter(({ itemIds }) =>
            itemIds.some((id) => quotes.get(id) && (misplaced.has(id) || name === 'shared ids')),
          ).length
        : 0;
    console.log(
      `${name.padEnd(36)} planted ${String(list.length).padStart(4)}, recall ${ratio(found.length, list.length)}, withheld ${ratio(withheld.length, list.length)}, of these with a price ${priced}`,
    );
  }

  const faulty = new Set([
    ...shifts.flatMap(({ itemIds }) => itemIds),
    ...[...swaps, ...offCurve, ...factors].flatMap(idsOf),
  ]);
  const stored = new Set(ids.map((one) => one.stored));
  for (const kind of new Set(suspects.map((suspect) => suspect.kind))) {
    const ofKind = suspects.filter((suspect) => suspect.kind === kind && !inCatalogs.has(subjects.get(suspect.id)!));
    const right = ofKind.filter(({ id, series }) =>
      kind === 'shared_id'
        ? stored.has(subjects.get(id)!)
        : isOf(
            kind,
            subjects.get(id)!,
            series.map(({ itemId }) => itemId),
          ),
    );
    const touching = ofKind.filter(({ series }) => series.some(({ itemId }) => faulty.has(itemId)));
    const partly = kind === 'swapped_siblings' ? `; naming a faulty item ${ratio(touching.length, ofKind.length)}` : '';
    console.log(
      `${kind.padEnd(36)} listed  ${String(ofKind.length).padStart(4)}, precision ${ratio(right.length, ofKind.length)}${partly}`,
    );
  }
  for (const precision of [0.9, 0.85])
    console.log(
      `swaps that an audit would find that knew how the market was drawn, at a precision of ${precision}: ${bestRecall(judged, precision).toFixed(2)}`,
    );
  console.log(`shared ids of the catalogs themselves, not counted above: ${inCatalogs.size}`);

  function isOf(kind: string, subject: string, itemIds: readonly string[]): boolean {
    if (kind === 'swapped_siblings') return swaps.some((swap) => idsOf(swap).sort().join(' ') === subject);
    if (kind === 'shifted_set') return shifts.some(({ setId, language }) => `${setId} ${language}` === subject);
    return itemIds.some((id) => faulty.has(id));
  }
}

function ratio(part: number, whole: number): string {
  return whole === 0 ? ' – ' : (part / whole).toFixed(2);
}
