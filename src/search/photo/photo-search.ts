import type { Game } from '../../catalog/games.ts';
import { ProblemError, unavailable } from '../../http/problem.ts';
import type { VisionContext } from '../../vision/context.ts';
import { DESCRIPTOR } from '../../vision/descriptor.ts';
import { EMBEDDING_MODEL, encoderFile } from '../../vision/encoder/models.ts';
import { UnusableImage } from '../../vision/pictures/decode.ts';
import { lookAlikes } from '../../vision/pictures/look-alikes.ts';
import type { RecognitionAnswers } from '../../vision/pool/tasks.ts';
import type { Quad } from '../../vision/quad.ts';
import { combined } from '../query/both-spaces.ts';
import { findByEmbedding } from './by-embedding.ts';
import type { FoundByPhoto } from './image-answer.ts';

type PhotoSearch = {
  game: Game | null;
  limit: number;
  signal: AbortSignal;
  /** Of the card, in pixels of the upright photo; absent: all of the photo. */
  quad?: Quad;
};

const NO_PICTURES =
  'No pictures of cards are known here yet: the operator runs `mintmark import images`, then `mintmark vectors`.';

/**
 * The card in a photo. Throws `upload_malformed` for a file that is not a photo, `unavailable`
 * without pictures to compare with, or when the queue is full.
 */
export async function findCard(
  context: VisionContext,
  bytes: Buffer,
  { game, limit, signal, quad }: PhotoSearch,
): Promise<FoundByPhoto> {
  const { vision, nearest, db, config } = context;
  const model = DESCRIPTOR.name;
  if ((await nearest.size(model)) === 0) throw unavailable(NO_PICTURES, 3600);
  const answers: RecognitionAnswers = {
    nearest: (vector, k, game) => nearest.nearest(model, vector, k, game),
    cards: (itemIds) => lookAlikes(db, itemIds),
  };
  const encoder = (await nearest.size(EMBEDDING_MODEL)) === 0 ? null : await encoderFile(db, config.dataDir);
  const input = { bytes, quad, dataDir: config.dataDir, game, matches: limit, encoder };
  const run = vision.run('recognise', input, { signal, answers });
  const { matches, confidence, embedding } = await run.catch(inWords);
  const shown = confidence === 'none' ? [] : matches;
  const found = { ids: shown.map(({ itemId }) => itemId), confidence, scores: falling(shown), model };
  if (embedding === null) return found;
  return combined(found, await findByEmbedding(context, embedding, { limit, game }), limit);
}

/** Matches are ranked by what pictures have in common before descriptors count: no later score is shown as higher. */
function falling(matches: readonly { score: number }[]): number[] {
  let least = 1;
  return matches.map(({ score }) => {
    least = Math.min(least, score);
    return least;
  });
}

/** Throws the fault of a task on a photo as a problem of the upload. */
export function inWords(error: Error): never {
  if (!(error instanceof UnusableImage)) throw error;
  throw new ProblemError('upload_malformed', `The photo cannot be used: ${error.message}.`);
}
