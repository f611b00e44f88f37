import type { Session, Sql } from '../../db/client.ts';
import { LEAST_UUID } from '../../lib/uuid.ts';
import type { CardState } from '../model/card.ts';
import type { CurveEvidence } from '../model/curve/refit.ts';
import { type GameState, gameOf, type PriceModel, type SetState, setOf } from '../model/model.ts';
import { type CardSales, decodeCard, decodeCardSales } from './card-bytes.ts';

/**
 * Cards in memory during a run. Cards that sell are loaded in one query for a batch of days; between checkpoints the
 * least recently loaded ones may be forgotten, as all are stored then.
 */
export type CardStore = {
  cards: Map<string, CardState>;
  /** Game and set of items that are not cards yet: they never sold. */
  unsold: Map<string, { game: GameState; set: SetState }>;
  /** True while every stored card is also in `cards`. */
  complete: boolean;
};

const PAGE = 5000;
const CARDS_MAX = 150_000;

export async function openCardStore(sql: Sql): Promise<CardStore> {
  const [row] = await sql.query<{ stored: boolean }>('select exists (select 1 from card_states) as stored');
  return { cards: new Map(), unsold: new Map(), complete: !row!.stored };
}

/** Loads the game and set of items and, where they ever sold, their state. */
export async function loadCards(
  session: Session,
  store: CardStore,
  model: PriceModel,
  itemIds: Set<string>,
): Promise<void> {
  const missing = [...itemIds].filter((id) => !store.cards.has(id) && !store.unsold.has(id));
  for (let i = 0; i < missing.length; i += PAGE) {
    const rows = await session.query<{
      id: string;
      game: string;
      set_id: number;
      state: Buffer | null;
      year: number | null;
    }>(
      `select i.id, i.game, i.set_id, s.year, c.state
       from items i join sets s on s.id = i.set_id left join card_states c on c.item_id = i.id
       where i.id = any($1)`,
      [missing.slice(i, i + PAGE)],
    );
    for (const row of rows) {
      const set = setOf(model, row.game, String(row.set_id), row.year);
      const game = gameOf(model, row.game);
      if (row.state === null) store.unsold.set(row.id, { game, set });
      else store.cards.set(row.id, decodeCard(row.id, row.state, game, set));
    }
  }
}

/** The evidence of every card for the curve, whether it is in memory or not; cards may be loaded meanwhile. */
export async function curveEvidence(sql: Sql, store: CardStore, model: PriceModel): Promise<CurveEvidence[]> {
  const evidence: CurveEvidence[] = [...store.cards.values()];
  const inMemory = new Set(store.cards.keys());
  let after: string | null = store.complete ? null : LEAST_UUID;
  while (after !== null) {
    const rows: { id: string; game: string; set_id: number; state: Buffer }[] = await sql.query(
      `select c.item_id as id, i.game, i.set_id, c.state from card_states c join items i on i.id = c.item_id
       where c.item_id > $1 order by c.item_id limit ${PAGE}`,
      [after],
    );
    for (const { id, game, set_id, state } of rows) {
      // A card that voids have emptied is stored until the next checkpoint.
      if (inMemory.has(id) || store.unsold.has(id)) continue;
      const { grades }: CardSales = decodeCardSales(state);
      evidence.push({ game: gameOf(model, game), set: setOf(model, game, String(set_id)), grades });
    }
    after = rows.length < PAGE ? null : rows.at(-1)!.id;
  }
  return evidence;
}

/** Forgets cards beyond CARDS_MAX, but not those that are `needed` next. Only once a checkpoint has their states. */
export function trimCards(store: CardStore, needed: ReadonlySet<string>): void {
  for (const id of store.cards.keys()) {
    if (store.cards.size <= CARDS_MAX) break;
    if (needed.has(id)) continue;
    store.cards.delete(id);
    store.complete = false;
  }
}
