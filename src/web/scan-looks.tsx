import type { VNode } from 'preact';
import { valueSlab } from '../graded/by-image-steps.ts';
import type { Context } from '../http/context.ts';
import { ProblemError } from '../http/problem.ts';
import { answerOf } from '../search/image-answer.ts';
import { findCard, inWords } from '../search/photo.ts';
import { CardFound, SlabFound } from './scan-result.tsx';
import { siteOf } from './site.ts';

/** What is told while a photo is looked at. */
type ScanNews = {
  stage: string;
  status: 'running' | 'ok' | 'skipped' | 'error';
  message: string;
  /** Of the stage `detect`: where cards lie, in pixels of the upright photo. */
  data?: object;
};

/** Looks at a photo: tells of its stages, ends with what the page shows. Throws problems as the API does. */
export type Look = (context: Context, bytes: Buffer, gone: AbortSignal) => AsyncGenerator<ScanNews, VNode>;

const CANDIDATES = 8;

/** Looks for cards, and for the likeliest of them in the catalog. */
export async function* lookAtCard(context: Context, bytes: Buffer, gone: AbortSignal): ReturnType<Look> {
  yield { stage: 'detect', status: 'running', message: 'Looking for cards in the photo' };
  const { width, height, cards } = await context.vision.run('detect', { bytes }, { signal: gone }).catch(inWords);
  const quads = cards.map(({ quad }) => quad);
  const seen = cards.length === 1 ? '1 card' : `${cards.length} cards`;
  yield { stage: 'detect', status: 'ok', message: `${seen} in the photo`, data: { width, height, quads } };
  yield { stage: 'recognise', status: 'running', message: 'Comparing with the pictures of the catalog' };
  const found = await findCard(context, bytes, { game: null, limit: CANDIDATES, gone });
  const answer = await answerOf(context.db, found, true);
  const isNone = answer.ids.length === 0;
  yield { stage: 'recognise', status: 'ok', message: isNone ? 'No card like it' : 'Compared' };
  return <CardFound site={siteOf(context)} answer={{ items: answer.items, confidence: found.confidence }} />;
}

/** Reads the label of a slab and values it. */
export async function* lookAtSlab(context: Context, bytes: Buffer, gone: AbortSignal): ReturnType<Look> {
  const outcome = yield* valueSlab(context, bytes, gone);
  if ('failed' in outcome) throw new ProblemError('image_unreadable', outcome.failed);
  return <SlabFound site={siteOf(context)} lookup={outcome.lookup} />;
}
