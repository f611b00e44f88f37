import { onlyPart } from '../../http/body/upload.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { VisionContext } from '../../vision/context.ts';
import { answerOf, imageAnswer, imageQuery, limitOf } from './image-answer.ts';
import { findCard } from './photo-search.ts';

export const byImage = endpoint({
  id: 'searchByImage',
  reads: 'replica',
  summary: 'The card in a photo',
  query: imageQuery,
  upload: { part: 'file', maxParts: 1 },
  response: imageAnswer,
  policy: 'image',
  maxAgeSeconds: 'no-store',
  async handle(context: VisionContext, { query, upload, disconnectSignal }) {
    const { game = null, hydrate } = query;
    const bytes = await onlyPart(upload());
    const found = await findCard(context, bytes, { game, limit: limitOf(query), signal: disconnectSignal() });
    return { body: await answerOf(context.db, found, hydrate) };
  },
});
