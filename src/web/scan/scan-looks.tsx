import type { VNode } from 'preact';
import { type SlabOutcome, valueSlab } from '../../graded/slab/by-image-steps.ts';
import { withLastSales } from '../../items/last-sales.ts';
import { counted } from '../../lib/counted.ts';
import { answerOf } from '../../search/photo/image-answer.ts';
import { findCard, inWords } from '../../search/photo/photo-search.ts';
import type { Quad } from '../../vision/quad.ts';
import type { WebContext } from '../context.ts';
import { siteOf } from '../site/site.ts';
import { inReadingOrder, mostCentral } from './scan-boxes.ts';
import { CardFound, CardsFound, NothingFound, type ScannedCard } from './scan-result.tsx';
import { SlabFound } from './slab-result.tsx';

/** Progress shown while a photo is processed. */
type ScanNews = {
  stage: string;
  status: 'running' | 'ok' | 'skipped' | 'error';
  message: string;
  /** Of the stage `detect`: the corners of each card, in the order of their numbers, in pixels of the upright photo. */
  data?: object;
};

const CANDIDATES = 8;
/** Cards of one photo that are recognised: a page of a binder has nine. */
const MOST_CARDS = 12;
/** One card may be seen as several, such as its frame and its art; a photo with more outlines is of several cards. */
const MOST_OF_ONE = 3;

/**
 * Finds out what a photo shows: a slab is read and valued, cards are looked for in the catalog, each by its outline. Yields
 * its stages and returns the result as shown. Throws problems as the API does.
 */
export async function* lookAtPhoto(
  context: WebContext,
  bytes: Buffer,
  signal: AbortSignal,
): AsyncGenerator<ScanNews, VNode> {
  const site = siteOf(context);
  yield { stage: 'detect', status: 'running', message: 'Looking for cards in the photo' };
  const { width, height, cards } = await context.vision.run('detect', { bytes }, { signal }).catch(inWords);
  const boxes = inReadingOrder(cards);
  const quads = boxes.map(({ quad }) => quad);
  yield { stage: 'detect', status: 'ok', message: `${seenIn(boxes)} in the photo`, data: { width, height, quads } };
  const hasSlab = boxes.some(({ kind }) => kind === 'slab');
  const slab = hasSlab ? yield* valueSlab(context, bytes, signal) : null;
  if (slab !== null && 'lookup' in slab)
    return (
      <SlabFound site={site} lookup={slab.lookup} boxes={boxes.length} box={mostCentral(boxes, { width, height })} />
    );
  const found = yield* recognised({ context, bytes, signal }, quads);
  if (found.length > 1) return <CardsFound site={site} found={found} boxes={boxes.length} />;
  const [only] = found;
  if (only !== undefined && only.confidence !== 'none') return <CardFound site={site} found={only} />;
  if (boxes.length > MOST_OF_ONE && slab === null) return <NothingFound advice={null} cards={boxes.length} />;
  const label = slab ?? (yield* labelAlone(context, bytes, signal));
  if ('lookup' in label) return <SlabFound site={site} lookup={label.lookup} boxes={1} box={0} />;
  return <NothingFound advice={hasSlab ? label.failed : null} cards={1} />;
}

/** `3 cards`, `5 slabs`, `2 slabs and 1 card`. */
function seenIn(boxes: readonly { kind: string }[]): string {
  const slabs = boxes.filter(({ kind }) => kind === 'slab').length;
  const cards = boxes.length - slabs;
  return [
    ...(slabs > 0 ? [counted(slabs, 'slab')] : []),
    ...(cards > 0 || slabs === 0 ? [counted(cards, 'card')] : []),
  ].join(' and ');
}

type PhotoToScan = { context: WebContext; bytes: Buffer; signal: AbortSignal };

/** The card of each outline; of a photo with fewer than two, or none of whose outlines is known, the card of all of it. */
async function* recognised(photo: PhotoToScan, quads: readonly Quad[]): AsyncGenerator<ScanNews, ScannedCard[]> {
  const news = (status: ScanNews['status'], message: string) => ({ stage: 'recognise', status, message });
  yield news('running', 'Comparing with the pictures of the catalog');
  const found: ScannedCard[] = [];
  const tried = quads.length > 1 ? quads.slice(0, MOST_CARDS) : [];
  for (const [at, quad] of tried.entries()) {
    yield news('running', `Comparing card ${at + 1} of ${tried.length} with the pictures of the catalog`);
    found.push(await cardIn(photo, quad));
  }
  const known = found.filter(({ confidence }) => confidence !== 'none').length;
  if (known > 0) {
    yield news('ok', `${known} of ${found.length} cards recognized`);
    return found;
  }
  const whole = await cardIn(photo);
  yield news('ok', whole.confidence === 'none' ? 'No card of the catalog looks like it' : 'Card recognized');
  return [whole];
}

async function cardIn({ context, bytes, signal }: PhotoToScan, quad?: Quad): Promise<ScannedCard> {
  const found = await findCard(context, bytes, { game: null, limit: CANDIDATES, signal, quad });
  const { items = [] } = await answerOf(context.db, found, true);
  return { items: await withLastSales(context.db, items), confidence: items.length === 0 ? 'none' : found.confidence };
}

/** A slab that fills the photo is not always seen as one: its label is looked for before the photo is given up. */
async function* labelAlone(
  context: WebContext,
  bytes: Buffer,
  signal: AbortSignal,
): AsyncGenerator<ScanNews, SlabOutcome> {
  const outcome = yield* valueSlab(context, bytes, signal);
  if ('failed' in outcome)
    yield { stage: 'cert_lookup', status: 'skipped', message: 'No label of a slab in the photo' };
  return outcome;
}
