import { Type } from 'typebox';
import { endpoint } from '../../http/endpoint.ts';
import { PROBLEM_SCHEMA, ProblemError, problemBody } from '../../http/problem.ts';
import type { VisionContext } from '../../vision/context.ts';
import { answerOf, type ImageAnswer, imageAnswer, imageQuery, limitOf } from './image-answer.ts';
import { findCard } from './photo-search.ts';

const MAX_PHOTOS = 12;

export const byImageBulk = endpoint({
  id: 'searchByImages',
  reads: 'replica',
  summary: 'The card in each of several photos, as one request of the budget',
  query: imageQuery,
  upload: { part: 'items', aliases: ['cards'], maxParts: MAX_PHOTOS },
  response: Type.Object({
    results: Type.Array(Type.Union([imageAnswer, Type.Unsafe<Record<string, unknown>>(PROBLEM_SCHEMA)]), {
      description: 'In the order of the parts: what was found, or what is wrong with that photo.',
    }),
  }),
  policy: 'image',
  maxAgeSeconds: 'no-store',
  async handle(context: VisionContext, { query, upload, disconnectSignal, requestId }) {
    const { game = null, hydrate } = query;
    const search = { game, limit: limitOf(query), signal: disconnectSignal() };
    const results: (ImageAnswer | ProblemError)[] = [];
    // One after another: the next photo is not read before this one is answered.
    for await (const part of upload()) {
      const found = part instanceof ProblemError ? part : await findCard(context, part, search).catch(problemOf);
      results.push(found instanceof ProblemError ? found : await answerOf(context.db, found, hydrate));
    }
    const unavailable = results.find((one) => one instanceof ProblemError && one.code === 'unavailable');
    if (unavailable !== undefined && results.every((one) => one instanceof ProblemError)) throw unavailable;
    const { baseUrl } = context.config;
    const body = results.map((one) => (one instanceof ProblemError ? problemBody(one, baseUrl, requestId) : one));
    return { body: { results: body } };
  },
});

/** A problem of one photo is reported in its place; a fault fails the whole request. */
function problemOf(error: Error): ProblemError {
  if (error instanceof ProblemError) return error;
  throw error;
}
