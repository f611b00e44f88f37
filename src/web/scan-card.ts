import type { Context } from '../http/context.ts';
import { answerOf, type ImageAnswer } from '../search/image-answer.ts';
import { findCard, inWords } from '../search/photo.ts';

/** What is told while a photo is looked at. */
export type ScanNews = {
  stage: 'detect' | 'recognise';
  status: 'running' | 'ok';
  message: string;
  /** Where cards lie, in pixels of the upright photo. */
  data?: { width: number; height: number; quads: readonly (readonly (readonly [number, number])[])[] };
};

const CANDIDATES = 8;

/** Looks for cards in a photo and for the likeliest of them in the catalog. Throws problems as the API does. */
export async function* lookAtCard(
  context: Context,
  bytes: Buffer,
  gone: AbortSignal,
): AsyncGenerator<ScanNews, ImageAnswer> {
  yield { stage: 'detect', status: 'running', message: 'Looking for cards in the photo' };
  const detected = await context.vision.run('detect', { bytes }, { signal: gone }).catch(inWords);
  const { width, height, cards } = detected;
  const quads = cards.map(({ quad }) => quad);
  const seen = cards.length === 1 ? '1 card' : `${cards.length} cards`;
  yield { stage: 'detect', status: 'ok', message: `${seen} in the photo`, data: { width, height, quads } };
  yield { stage: 'recognise', status: 'running', message: 'Comparing with the pictures of the catalog' };
  const found = await findCard(context, bytes, { game: null, limit: CANDIDATES, gone });
  const answer = await answerOf(context.db, found, true);
  yield { stage: 'recognise', status: 'ok', message: answer.ids.length === 0 ? 'No card like it' : 'Found' };
  return answer;
}
