import { gradeByKey } from '../../catalog/grades.ts';
import { textWords } from '../../catalog/words/compare.ts';
import { itemsByIds } from '../../items/item-row.ts';
import { readTags, summaryOf } from '../../items/summary.ts';
import { LEAST_CONFIDENCE } from '../../pricing/model/quote.ts';
import { quotesOf } from '../../pricing/read/quotes.ts';
import { findCard } from '../../search/photo/photo-search.ts';
import type { SlabReading } from '../../vision/slab/read-slab.ts';
import type { GradedContext } from '../context.ts';
import { within } from '../runs/stages.ts';
import type { GradedLookup } from '../shapes.ts';
import { unmatched } from './find-item.ts';
import type { LabelMatch } from './label-book.ts';
import { gradeLabelOf } from './slab-evidence.ts';

/** What the picture of the card shows: all printings that share their art; `none` where it was not recognized. */
export type Art = { ids: readonly string[]; confidence: 'high' | 'medium' | 'low' | 'none' };

/** The card of a slab by its label and its art, or a sentence that says why it is unknown. */
export type SlabCard = { itemId: string; by: 'label and art' | 'label' | 'art' } | { itemId: null; why: string };

type Unmatched = Extract<LabelMatch, { itemId: null }>;

const NO_ART: Art = { ids: [], confidence: 'none' };
const ART_MATCHES = 10;
const LABELS_MS = 10_000;
/** Names of companies are read with letters of their logos. */
const COMPANY_ROW = /\b(?:guarant\w*|company|certified|beckett|grading)\b/i;

/** Looks for the art among the catalog's pictures; `none` without pictures, or when no worker is free. */
export async function artOf(context: GradedContext, below: Buffer, signal: AbortSignal): Promise<Art> {
  try {
    const { ids, scores, confidence } = await findCard(context, below, { game: null, limit: ART_MATCHES, signal });
    return { ids: ids.filter((_, i) => scores[i] === scores[0]), confidence };
  } catch {
    return NO_ART;
  }
}

/** The card by its label's words, where these identify one. The evidence of a photo has the words. */
export async function labelledItem(
  { valuer }: Pick<GradedContext, 'valuer'>,
  { rows, legible, hasGap }: Pick<SlabReading, 'rows' | 'legible' | 'hasGap'>,
  signal: AbortSignal,
): Promise<{ itemId: string | null; why: string }> {
  const book = await within(valuer.labels, LABELS_MS, signal);
  if (book === null) return { itemId: null, why: 'The catalog could not be read in time.' };
  const match = hasGap
    ? ({ itemId: null, reason: 'illegible' } as const)
    : book.match(rows.filter((row) => !COMPANY_ROW.test(row)).join(' '), 'photo');
  return match.itemId === null
    ? { itemId: null, why: unmatched('', onlyLegible(match, legible)).warning }
    : { itemId: match.itemId, why: '' };
}

/** Names only words that can be read on the label; without any, the label is illegible. */
function onlyLegible(match: Unmatched, legible: readonly string[]): Unmatched {
  if (match.words === undefined) return match;
  const there = new Set(textWords(legible.join(' ')));
  const words = match.words.filter((word) => there.has(word));
  return words.length > 0 ? { ...match, words } : { itemId: null, reason: 'illegible' };
}

/** The card that label and art agree on; one alone is enough where it is certain and the other does not contradict it. */
export function cardOf(labelled: { itemId: string | null; why: string }, art: Art): SlabCard {
  const isCertainArt = art.confidence === 'high' || art.confidence === 'medium';
  const { itemId } = labelled;
  if (itemId !== null) {
    if (art.ids.includes(itemId) && art.confidence !== 'none') return { itemId, by: 'label and art' };
    if (isCertainArt) return { itemId: null, why: 'The label and the picture of the card show different cards.' };
    return { itemId, by: 'label' };
  }
  if (art.confidence === 'high' && art.ids.length === 1) return { itemId: art.ids[0]!, by: 'art' };
  return { itemId: null, why: labelled.why };
}

/** One band less: a reading of a photo may be wrong. */
const LOWERED = { prime: 'high', high: 'medium', medium: 'low', low: 'low' } as const;
/** Steps of the score on the wire; a score that is lowered stays below the least of the band it left. */
const SCORE_STEP = 0.01;

/** The answer for a slab without a cert that can be read: its card at the grade on its label, with less confidence. */
export async function lookupOfCard(
  { db }: Pick<GradedContext, 'db'>,
  { company, grade }: Pick<SlabReading, 'company' | 'grade'>,
  card: SlabCard,
): Promise<GradedLookup> {
  const row = grade?.key == null ? null : gradeByKey(grade.key);
  const gradeLabel = gradeLabelOf({ grade });
  const unknown = { cert: '', certNumber: '', company, found: false, grade: null, gradeLabel, certImages: null };
  if (card.itemId === null) return { ...unknown, reason: 'not_ingested', warning: card.why };
  const [[item], quotes, tagsOf] = await Promise.all([
    itemsByIds(db, [card.itemId]),
    quotesOf(db, [card.itemId]),
    readTags(db, [card.itemId]),
  ]);
  if (item === undefined) return { ...unknown, reason: 'not_ingested', warning: 'The card was withdrawn.' };
  const quote = quotes.get(item.id)?.find(({ gradeKey }) => gradeKey === row?.key);
  const certImages = item.image_url === null ? null : { front: null, back: null, item: item.image_url };
  if (row === null || quote?.priceUsdCents == null) {
    const warning = row === null ? 'The grade could not be read.' : 'The card has no price at this grade yet.';
    const summary = summaryOf(item, null, undefined, tagsOf(item));
    return { ...unknown, certImages, card: summary, reason: 'no_grade_price', warning };
  }
  const summary = lowered(summaryOf(item, row.key, quote, tagsOf(item)));
  const warning = `The cert could not be read: the card is known by its ${card.by}, with less confidence.`;
  return { ...unknown, certImages, found: true, grade: row.grade, card: summary, warning };
}

/** The same card with the confidence of its price one band lower, the score within that band; in the lowest band it is halved. */
export function lowered<Card extends NonNullable<GradedLookup['card']>>(card: Card): Card {
  const { confidence, confidenceScore } = card;
  if (confidence === null || confidenceScore === null) return card;
  const below = confidence === 'low' ? confidenceScore / 2 : LEAST_CONFIDENCE[confidence] - SCORE_STEP;
  return { ...card, confidence: LOWERED[confidence], confidenceScore: Math.min(confidenceScore, round2(below)) };
}

function round2(score: number): number {
  return Math.round(score * 100) / 100;
}
