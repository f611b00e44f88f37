/** The price model and indices over it, both in memory: what tests and benches of the index method drive. */
import { type BasketCandidate, chooseBasket, seriesKey } from '../../src/indices/method/basket.ts';
import { type CountedSale, evidenceFor } from '../../src/indices/method/evidence.ts';
import { closePrices, divisorFor, levelOf } from '../../src/indices/method/level.ts';
import { INDEX_RULES, type IndexRules } from '../../src/indices/method/rules.ts';
import { widthsOf } from '../../src/pricing/model/calibration.ts';
import { type CardState, newCard } from '../../src/pricing/model/card.ts';
import { termsOf } from '../../src/pricing/model/curve/curve.ts';
import { refitCurves } from '../../src/pricing/model/curve/refit.ts';
import { closeDay } from '../../src/pricing/model/fmv.ts';
import type { DaySale } from '../../src/pricing/model/forecast.ts';
import { gameOf, gradeIndexOf, newModel, type PriceModel, setOf } from '../../src/pricing/model/model.ts';
import { DEFAULT_PARAMS, type Params, type VenueClass } from '../../src/pricing/model/params.ts';
import { confidenceOf, isPriced, logQuote } from '../../src/pricing/model/quote.ts';
import { snapshotOf } from '../../src/pricing/model/snapshot.ts';

export type ReportedSale = {
  id: number;
  card: string;
  set: string;
  game: string;
  gradeKey: string;
  venue: VenueClass;
  source: string;
  priceUsdCents: number;
};

type SeriesLog = { itemId: string; gradeKey: string; firstSaleDay: number; sales: CountedSale[] };
export type Quote = { priceUsd: number | null; confidence: number | null };

/** Everything that a day's close changes; plain data, so that it can be cloned and driven on twice. */
export type World = {
  model: PriceModel;
  cards: Map<string, CardState>;
  logs: Map<string, Map<string, SeriesLog>>;
  /** In the order met; the model numbers them. */
  sources: string[];
};

export function newWorld(params: Params = DEFAULT_PARAMS): World {
  return { model: newModel(params), cards: new Map(), logs: new Map(), sources: [] };
}

/** Closes a day of the model; every 28th day refits the grade curves, as the prototype of the method does. */
export function closeModel(world: World, day: number, reported: readonly ReportedSale[], rules = INDEX_RULES): void {
  const { model, cards, logs, sources } = world;
  const created = new Map<string, CardState>();
  const byId = new Map(reported.map((sale) => [sale.id, sale]));
  const sales = reported.map((sale): DaySale => {
    let card = cards.get(sale.card) ?? created.get(sale.card);
    if (card === undefined) {
      card = newCard(sale.card, gameOf(model, sale.game), setOf(model, sale.game, sale.set), day, model.params);
      created.set(sale.card, card);
    }
    const grade = gradeIndexOf(model, sale.gradeKey);
    if (!sources.includes(sale.source)) sources.push(sale.source);
    const source = sources.indexOf(sale.source);
    return { ...sale, card, grade, soldDay: day, soldAtMs: 0, source };
  });
  for (const [id, card] of created) cards.set(id, card);
  for (const { saleId, weight } of closeDay(model, day, sales)) {
    const { card, gradeKey, game, priceUsdCents, source } = byId.get(saleId)!;
    const series = logs.get(game) ?? new Map<string, SeriesLog>();
    logs.set(game, series);
    const key = seriesKey(card, gradeKey);
    const log = series.get(key) ?? { itemId: card, gradeKey, firstSaleDay: day, sales: [] };
    series.set(key, log);
    if (weight >= rules.minSaleWeight) log.sales.push({ soldDay: day, priceUsdCents, source });
    while (log.sales.length > 0 && log.sales[0]!.soldDay <= day - rules.windowDays) log.sales.shift();
  }
  if (day % 28 === 27) refitCurves(model, cards.values());
}

/** A series' value at the last close, unrounded. */
export function quoteIn({ model, cards }: World, itemId: string, gradeKey: string): Quote {
  const card = cards.get(itemId);
  if (card === undefined) return { priceUsd: null, confidence: null };
  const grade = gradeIndexOf(model, gradeKey);
  const { market, curve } = card.game;
  const on = {
    day: model.day!,
    marketLevel: market.level,
    marketVariance: market.p00,
    widths: widthsOf(model.calibration),
  };
  const snapshot = snapshotOf(card, grade, model.params);
  const quote = logQuote(snapshot, on, termsOf(curve, card.set.deltas, grade, snapshot.cardLevel), model.params);
  if (!isPriced(quote, model.params)) return { priceUsd: null, confidence: null };
  return { priceUsd: Math.exp(quote.mean), confidence: confidenceOf(quote, model.params) };
}

type Member = { itemId: string; gradeKey: string; rank: number; weight: number; priceUsd: number };
type Rotation = {
  day: number;
  levelBefore: number | null;
  levelAfter: number;
  size: number;
  eligible: number;
  added: number;
  removed: number;
};
export type Index = {
  game: string;
  rules: IndexRules;
  /** Every price and sale times this: levels must not care. */
  scale: number;
  members: Member[];
  divisor: number;
  levels: { day: number; level: number }[];
  rotations: Rotation[];
  heldDays: number;
};

export function newIndex(game: string, rules: IndexRules = INDEX_RULES, scale = 1): Index {
  return { game, rules, scale, members: [], divisor: 1, levels: [], rotations: [], heldDays: 0 };
}

/** Closes a day of an index, after the model's. */
export function closeIndex(index: Index, world: World, day: number, isRotation: boolean): void {
  const { rules, scale, members } = index;
  const log = world.logs.get(index.game) ?? new Map<string, SeriesLog>();
  const scaled = (sales: readonly CountedSale[]) =>
    scale === 1 ? sales : sales.map((sale) => ({ ...sale, priceUsdCents: sale.priceUsdCents * scale }));
  const valueIn = (itemId: string, gradeKey: string): Quote => {
    const quote = quoteIn(world, itemId, gradeKey);
    return { ...quote, priceUsd: quote.priceUsd === null ? null : quote.priceUsd * scale };
  };
  if (members.length > 0) {
    const values = members.map(({ itemId, gradeKey }) => valueIn(itemId, gradeKey).priceUsd);
    const salesOf = (i: number) => scaled(log.get(seriesKey(members[i]!.itemId, members[i]!.gradeKey))!.sales);
    closePrices(members, values, salesOf, day, rules).forEach(({ priceUsd, state }, i) => {
      members[i]!.priceUsd = priceUsd;
      if (state === 'held') index.heldDays++;
    });
    index.levels.push({ day, level: levelOf(members, index.divisor) });
  }
  if (isRotation) rotate(index, log, valueIn, scaled, day);
}

function rotate(
  index: Index,
  log: Map<string, SeriesLog>,
  valueIn: (itemId: string, gradeKey: string) => Quote,
  scaled: (sales: readonly CountedSale[]) => readonly CountedSale[],
  day: number,
): void {
  const { rules, members } = index;
  const held = new Map(members.map((member) => [seriesKey(member.itemId, member.gradeKey), member]));
  const candidates: BasketCandidate[] = [];
  for (const { itemId, gradeKey, firstSaleDay, sales } of log.values()) {
    if (sales.length < Math.min(rules.keepSales90, rules.minSales90)) continue;
    const quote = valueIn(itemId, gradeKey);
    if (quote.priceUsd === null) continue;
    const priceUsd = held.get(seriesKey(itemId, gradeKey))?.priceUsd ?? quote.priceUsd;
    candidates.push({
      ...quote,
      itemId,
      gradeKey,
      firstSaleDay,
      priceUsd,
      ...evidenceFor(scaled(sales), priceUsd, day, rules),
    });
  }
  const choice = chooseBasket(candidates, new Set(held.keys()), day, rules);
  if ('skipped' in choice) return;
  const next = choice.members.map(({ itemId, gradeKey, priceUsd }, i): Member => {
    return { itemId, gradeKey, rank: i + 1, weight: 1 / choice.members.length, priceUsd };
  });
  const levelBefore = index.levels.at(-1)?.level ?? null;
  const level = levelBefore ?? rules.base;
  if (levelBefore === null) index.levels.push({ day, level });
  const stays = next.filter(({ itemId, gradeKey }) => held.has(seriesKey(itemId, gradeKey))).length;
  index.members = next;
  index.divisor = divisorFor(next, level);
  index.rotations.push({
    day,
    levelBefore,
    levelAfter: levelOf(next, index.divisor),
    size: next.length,
    eligible: choice.eligible,
    added: next.length - stays,
    removed: members.length - stays,
  });
}
