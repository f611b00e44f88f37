import type { Sql } from '../db/client.ts';
import { newCard } from './card.ts';
import { decodeCard } from './card-bytes.ts';
import type { ItemRows } from './item-rows.ts';
import { type Model, setOf } from './model.ts';
import { loadModel } from './model-load.ts';
import { takeInto } from './replay.ts';
import { touchOf } from './touch.ts';

/** An item as it would stand had its waiting sales been closed already, and the newest moment one became known. */
export type ProvisionalRows = ItemRows & { requotedAtMs: number };

/**
 * The item's rows with its waiting sales taken into a copy of its card, the market as it was at the last close (section
 * 3, intraday). Nothing is written: the close takes the same sales in from the state at its open. The rows as they are
 * when nothing waits, or when its game or grade has never been closed.
 */
export function withPending({ closedDay, model, sources }: ClosedModel, item: ItemRows): ItemRows | ProvisionalRows {
  if (item.pending.length === 0) return item;
  const game = model.games.get(item.game);
  const known = item.pending.filter(({ gradeKey }) => model.gradeIndex.has(gradeKey));
  if (game === undefined || game.market.firstDay < 0 || known.length === 0) return item;
  const set = model.sets.get(String(item.setId)) ?? setOf(model, item.game, String(item.setId));
  const card =
    item.state === null
      ? newCard(item.itemId, game, set, closedDay, model.params)
      : decodeCard(item.itemId, item.state, game, set);
  for (const { gradeKey, source, soldDay, ...sale } of known) {
    const grade = model.gradeIndex.get(gradeKey)!;
    const place = sources.indexOf(source);
    takeInto(model, card, {
      ...sale,
      grade,
      source: place < 0 ? sources.push(source) - 1 : place,
      soldDay: Math.min(soldDay, closedDay),
      closedDay,
    });
  }
  const touches = new Map(item.touches);
  for (const { grade } of card.grades) {
    const earlier = (touches.get(grade) ?? []).filter(({ day }) => day < closedDay);
    touches.set(grade, [...earlier, touchOf(card, grade)]);
  }
  return { ...item, card, touches, requotedAtMs: Math.max(...known.map(({ knownAtMs }) => knownAtMs)) };
}

/** The model as a close left it; `sources` are those that its cards number. */
export type ClosedModel = { closedDay: number; model: Model; sources: string[] };

const held = new WeakMap<Sql, ClosedModel>();

/** The model as of the last close, kept until a later one is asked for. Only read, but for names that it has not met. */
export async function modelAt(sql: Sql, closedDay: number): Promise<ClosedModel> {
  const known = held.get(sql);
  if (known !== undefined && known.closedDay >= closedDay) return known;
  const { model, sources } = await loadModel(sql);
  const loaded = { closedDay: model.day ?? closedDay, model, sources };
  held.set(sql, loaded);
  return loaded;
}
