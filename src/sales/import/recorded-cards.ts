import type { Game } from '../../catalog/games.ts';
import type { Session } from '../../db/client.ts';
import { readTitle } from '../match/read-title.ts';
import type { Sale } from '../sale.ts';
import { isLive } from '../undoing/live-sale.ts';
import { type ResolvedGrade, type ResolvedItem, resolveGrade } from './resolve.ts';
import type { WaitingSale } from './set-aside.ts';
import type { ReadySale, SaleBatch } from './write-sales.ts';

/** The card and the grade that the ledger has a sale on; `decisionId` is the decision that put it there. */
export type RecordedCard = { item: ResolvedItem; grade: ResolvedGrade; decisionId?: number };

/**
 * Divides rows whose card was not identified: one about a sale that the ledger has is of the card that the ledger has it on, so
 * that it corrects or voids that sale; the others wait.
 */
export async function onRecordedCards(
  session: Session,
  { waiting, screenOn }: Pick<SaleBatch, 'waiting' | 'screenOn'>,
): Promise<{ ready: ReadySale[]; waiting: WaitingSale[] }> {
  const unidentified = waiting.filter(({ dueDay }) => dueDay === null);
  if (unidentified.length === 0) return { ready: [], waiting };
  const stated = await session.query<Stated>(
    `select distinct on (x.source, x.source_sale_id) x.source, x.source_sale_id as "saleId", x.company, x.grade,
       x.item_id as "itemId", i.game, i.name, x.decision_id as "decisionId", d.facts ->> 'gradeKey' is not null as "gradeDecided"
     from sales x join items i on i.id = x.item_id left join decisions d on d.id = x.decision_id
     where (x.source, x.source_sale_id) in (select * from unnest($1::text[], $2::text[])) and ${isLive('x')}
     order by x.source, x.source_sale_id, x.decision_id nulls first, x.revision desc`,
    [unidentified.map(({ sale }) => sale.source), unidentified.map(({ sale }) => sale.sourceSaleId)],
  );
  if (stated.length === 0) return { ready: [], waiting };
  const cards = new Map(stated.map((one) => [`${one.source} ${one.saleId}`, one]));
  const ready: ReadySale[] = [];
  const others = waiting.filter((row) => {
    const card = row.dueDay === null ? cards.get(`${row.sale.source} ${row.sale.sourceSaleId}`) : undefined;
    if (card === undefined) return true;
    ready.push(screenOn(row, cardOf(card, row.sale)));
    return false;
  });
  return { ready, waiting: others };
}

/**
 * A sale of the ledger. Of several decisions on it the first: the later ones are stated again after it (keep-matches). What its
 * source states comes before any decision.
 */
type Stated = {
  source: string;
  saleId: string;
  company: string;
  grade: string;
  itemId: string;
  game: Game;
  name: string;
  decisionId: number | null;
  gradeDecided: boolean;
};

function cardOf({ itemId, game, name, company, grade, decisionId, gradeDecided }: Stated, sale: Sale): RecordedCard {
  return {
    item: { id: itemId, game, name },
    grade: (gradeDecided ? null : gradeStated(sale)) ?? resolveGrade(company, grade),
    ...(decisionId !== null && { decisionId }),
  };
}

/** The grade of the row or, if it states none, of its title; null where that is not certain. */
function gradeStated({ company, grade, title }: Sale): ResolvedGrade | null {
  if (company !== null) return resolveGrade(company, grade);
  const { grading } = readTitle(title ?? '');
  if (grading.company === null || grading.grade === null || grading.problem !== null) return null;
  return resolveGrade(grading.company, grading.grade.grade);
}
