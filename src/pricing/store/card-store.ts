import type { Session, Sql } from '../../db/client.ts';
import { pack, unpack } from '../../lib/bytes.ts';
import { LEAST_UUID } from '../../lib/uuid.ts';
import type { CardState } from '../model/card.ts';
import type { CurveEvidence } from '../model/curve/refit.ts';
import { type GameState, gameOf, type PriceModel, type SetState, setOf } from '../model/model.ts';
import { decodeCard, decodeWeights, encodeCard } from './card-bytes.ts';

/** A card whose state is packed as it is stored, which takes a tenth of the memory. */
type PackedCard = { game: GameState; set: SetState; state: string };

/**
 * Cards in memory during a run. Cards that sell are loaded in one query for a page of days. When a checkpoint
 * has been taken, the least recently loaded ones beyond a limit are packed; packed ones beyond another are forgotten once it is stored.
 */
export type CardStore = {
  cards: Map<string, CardState>;
  /** Others than `cards`. */
  packed: Map<string, PackedCard>;
  /** Game and set of items that are not cards yet: they never sold. */
  unsold: Map<string, { game: GameState; set: SetState }>;
  /** True while every stored card is also in `cards` or `packed`. */
  complete: boolean;
};

const PAGE = 5000;

/** How many cards are in memory: some 4 kB each, packed ones with their histories some .8. */
export type CardLimits = { cards: number; packed: number };
export const CARD_LIMITS: CardLimits = { cards: 40_000, packed: 1_000_000 };

export async function openCardStore(sql: Sql): Promise<CardStore> {
  const [row] = await sql.query<{ stored: boolean }>('select exists (select from card_states) as stored');
  return { cards: new Map(), packed: new Map(), unsold: new Map(), complete: !row!.stored };
}

/** Loads the game and set of items and, where they ever sold, their state. */
export async function loadCards(
  session: Session,
  store: CardStore,
  model: PriceModel,
  itemIds: Set<string>,
): Promise<void> {
  const missing: string[] = [];
  for (const id of itemIds)
    if (!unpackCard(store, id) && !store.cards.has(id) && !store.unsold.has(id)) missing.push(id);
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
  for (const { game, set, state } of store.packed.values())
    evidence.push({ game, set, grades: decodeWeights(unpack(state)) });
  const inMemory = new Set([...store.cards.keys(), ...store.packed.keys()]);
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
      const grades = decodeWeights(state);
      evidence.push({ game: gameOf(model, game), set: setOf(model, game, String(set_id)), grades });
    }
    after = rows.length < PAGE ? null : rows.at(-1)!.id;
  }
  return evidence;
}

/** Whether the card was packed; it is not any more. */
function unpackCard({ cards, packed }: CardStore, id: string): boolean {
  const one = packed.get(id);
  if (one === undefined) return false;
  packed.delete(id);
  cards.set(id, decodeCard(id, unpack(one.state), one.game, one.set));
  return true;
}

/** Packs cards beyond the limit, but not those that are `needed` next. Only right after a checkpoint was taken of them. */
export function packCards(
  { cards, packed }: CardStore,
  needed: ReadonlySet<string>,
  { cards: most }: CardLimits,
): void {
  for (const [id, card] of cards) {
    if (cards.size <= most) break;
    if (needed.has(id)) continue;
    cards.delete(id);
    packed.set(id, { game: card.game, set: card.set, state: pack(encodeCard(card)) });
  }
}

/** Forgets packed cards beyond the limit. Only once the checkpoint before they were packed is stored. */
export function forgetCards(store: CardStore, { packed: most }: CardLimits): void {
  for (const id of store.packed.keys()) {
    if (store.packed.size <= most) break;
    store.packed.delete(id);
    store.complete = false;
  }
}
