import type { VNode } from 'preact';
import { valueSlab } from '../../graded/slab/by-image-steps.ts';
import { ProblemError } from '../../http/problem.ts';
import { answerOf } from '../../search/photo/image-answer.ts';
import { findCard, inWords } from '../../search/photo/photo-search.ts';
import type { WebContext } from '../context.ts';
import { siteOf } from '../site/site.ts';
import { CardFound, SlabFound } from './scan-result.tsx';

/** Progress shown while a photo is processed. */
type ScanNews = {
  stage: string;
  status: 'running' | 'ok' | 'skipped' | 'error';
  message: string;
  /** Of the stage `detect`: the corners of cards, in pixels of the upright photo. */
  data?: object;
};

/** Reads a photo: yields its stages and returns the result as shown. Throws problems as the API does. */
export type ScanReader = (context: WebContext, bytes: Buffer, signal: AbortSignal) => AsyncGenerator<ScanNews, VNode>;

const CANDIDATES = 8;

/** Looks for cards, and for the likeliest of them in the catalog. */
export async function* lookAtCard(context: WebContext, bytes: Buffer, signal: AbortSignal): ReturnType<ScanReader> {
  yield { stage: 'detect', status: 'running', message: 'Looking for cards in the photo' };
  const { width, height, cards } = await context.vision.run('detect', { bytes }, { signal }).catch(inWords);
  const quads = cards.map(({ quad }) => quad);
  const seen = cards.length === 1 ? '1 card' : `${cards.length} cards`;
  yield { stage: 'detect', status: 'ok', message: `${seen} in the photo`, data: { width, height, quads } };
  yield { stage: 'recognise', status: 'running', message: 'Comparing with the pictures of the catalog' };
  const found = await findCard(context, bytes, { game: null, limit: CANDIDATES, signal });
  const answer = await answerOf(context.db, found, true);
  const isNone = answer.ids.length === 0;
  yield { stage: 'recognise', status: 'ok', message: isNone ? 'No card like it' : 'Compared' };
  return <CardFound site={siteOf(context)} answer={{ items: answer.items, confidence: found.confidence }} />;
}

/** Reads the label of a slab and values it. */
export async function* lookAtSlab(context: WebContext, bytes: Buffer, signal: AbortSignal): ReturnType<ScanReader> {
  const outcome = yield* valueSlab(context, bytes, signal);
  if ('failed' in outcome) throw new ProblemError('image_unreadable', outcome.failed);
  return <SlabFound site={siteOf(context)} lookup={outcome.lookup} />;
}
