import { type Static, Type } from 'typebox';
import { gradeByKey } from '../catalog/grades.ts';
import type { Sql } from '../db/client.ts';
import { type ItemRow, itemHref, itemMap } from '../items/item-row.ts';
import { nullable } from '../items/shapes.ts';
import { SUSPECT_KINDS } from './suspect.ts';
import { type KeptSuspect, listSuspects, type SuspectState, VERDICTS } from './suspect-store.ts';

const instant = (description: string) => Type.String({ format: 'date-time', description });

/** A suspect as the API shows it. */
export const publicSuspect = Type.Object(
  {
    id: Type.Integer({ minimum: 1 }),
    kind: Type.String({
      'x-extensible-enum': [...SUSPECT_KINDS],
      description:
        '`shared_id`: an external id on items of different cards. `swapped_siblings`: printings of a card with each other’s prices. `off_curve`: a grade with the sales of another printing. `grade_inversion`: PSA 9 above PSA 10. `source_factor`: a source with the sales of another card. `shifted_set`: the numbers of a set have the prices of their neighbours.',
    }),
    items: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        href: Type.String({ description: 'Site-relative address of its page.' }),
        gradeLabel: nullable(Type.String({ description: 'null: every grade.' })),
      }),
    ),
    score: Type.Number({ minimum: 0, maximum: 1, description: 'The probability of a fault, by the evidence alone.' }),
    evidence: Type.Array(
      Type.Object({
        text: Type.String({ description: 'A sentence.' }),
        data: Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()]), {
          description: 'The figures of the sentence.',
        }),
      }),
    ),
    foundAt: instant('When an audit first found it.'),
    state: Type.Enum(['open', 'decided']),
    decision: nullable(
      Type.Enum([...VERDICTS], {
        description: '`right`: nothing is wrong. `wrong`: the price is withheld until the data change.',
      }),
    ),
    decidedAt: nullable(instant('When it was decided.')),
  },
  { title: 'Suspect' },
);
type PublicSuspect = Static<typeof publicSuspect>;

type SuspectsRead = {
  suspects: KeptSuspect[];
  /** Of all of them, by id. */
  items: ReadonlyMap<string, ItemRow>;
  hasMore: boolean;
  nextCursor: string | null;
};

/** A page of suspects with their cards, the newest first. `before`: what the page before ended with, null for the first page. */
export async function readSuspects(
  sql: Sql,
  selection: { game?: string | undefined; state?: SuspectState | undefined; before: number | null; limit: number },
): Promise<SuspectsRead> {
  const found = await listSuspects(sql, { ...selection, limit: selection.limit + 1 });
  const suspects = found.slice(0, selection.limit);
  const hasMore = found.length > suspects.length;
  const items = await itemMap(sql, [...new Set(suspects.flatMap(({ series }) => series.map(({ itemId }) => itemId)))]);
  return { suspects, items, hasMore, nextCursor: hasMore ? String(suspects.at(-1)!.id) : null };
}

/** A suspect as the API shows it. */
export function publicOf(suspect: KeptSuspect, items: ReadonlyMap<string, ItemRow>): PublicSuspect {
  const { id, kind, series, score, evidence, foundAt, verdict, decidedAt } = suspect;
  return {
    id,
    kind,
    items: series.map(({ itemId, gradeKey }) => ({
      id: itemId,
      href: itemHref(items.get(itemId)!, gradeKey),
      gradeLabel: gradeKey === null ? null : gradeByKey(gradeKey)!.label,
    })),
    score: Math.round(score * 1000) / 1000,
    evidence,
    foundAt: foundAt.toISOString(),
    state: verdict === null ? 'open' : 'decided',
    decision: verdict,
    decidedAt: decidedAt?.toISOString() ?? null,
  };
}
