import { Type } from 'typebox';
import type { Game } from '../../catalog/games.ts';
import { isUnitVector, VECTOR_LENGTH } from '../../catalog/tags/zero-shot.ts';
import { endpoint } from '../../http/endpoint.ts';
import { ProblemError, unavailable } from '../../http/problem.ts';
import type { VisionContext } from '../../vision/context.ts';
import { EMBEDDING_MODEL } from '../../vision/encoder/models.ts';
import { bandAmong, impostorsOf } from '../../vision/impostors.ts';
import { lookAlikes } from '../../vision/pictures/look-alikes.ts';
import { answerOf, type FoundItems, imageAnswer, imageQuery, limitOf, MAX_LIMIT } from './image-answer.ts';

const NO_VECTORS = `No picture of the catalog has a vector of ${EMBEDDING_MODEL} yet: the operator adds the model with \`mintmark models add <file.onnx>\`, then runs \`mintmark vectors\` (docs/guide/models.md).`;

/** Hits beyond the limit: of other cards, to measure how clear the first is, and for items that were removed from the catalog. */
const MORE_HITS = 30;

const body = Type.Object(
  {
    embedding: Type.Array(Type.Number(), {
      minItems: VECTOR_LENGTH,
      maxItems: VECTOR_LENGTH,
      description: `${VECTOR_LENGTH} numbers of length 1 (within a thousandth), from ${EMBEDDING_MODEL}; see /v1/search/embedding-model.`,
    }),
    hydrate: Type.Optional(
      Type.Union(
        [Type.Boolean(), Type.Enum(['1', 'true', '0', 'false']), Type.Integer({ minimum: 0, maximum: 1 }), Type.Null()],
        { description: 'As in the query; `null` and `false` are no.' },
      ),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT, description: 'As in the query.' })),
  },
  { additionalProperties: false },
);

export const byEmbedding = endpoint({
  id: 'searchByEmbedding',
  reads: 'replica',
  summary: 'The card in a photo that never leaves the device: by its embedding',
  query: imageQuery,
  body,
  unfitBody: 400,
  response: imageAnswer,
  policy: 'image',
  maxAgeSeconds: 'no-store',
  statuses: [503],
  async handle(context: VisionContext, { query, body }) {
    const { embedding } = body;
    if (!isUnitVector(embedding)) throw notUnit(embedding);
    const limit = body.limit ?? limitOf(query);
    const found = await findByEmbedding(context, embedding, { limit, game: query.game ?? null });
    // One of the two is enough: `0` in the query does not outweigh the body.
    const hydrate = [query.hydrate, body.hydrate].map(String).find((one) => one === '1' || one === 'true');
    return { body: await answerOf(context.db, found, hydrate) };
  },
});

function notUnit(embedding: readonly number[]): ProblemError {
  const length = Math.hypot(...embedding);
  const message = `embedding has the length ${Number(length.toPrecision(6))}; it must be 1 within a thousandth: divide each number by it`;
  return new ProblemError('invalid_parameter', `${message}.`, {
    errors: [{ pointer: '/embedding', code: 'norm', message }],
  });
}

/**
 * The items nearest to an embedding, each with those that no picture distinguishes from it and that have no picture of their own.
 * Throws `unavailable` when the catalog has no vector of the model: an empty answer would say that the card is unknown.
 */
export async function findByEmbedding(
  { db, nearest }: Pick<VisionContext, 'db' | 'nearest'>,
  embedding: ArrayLike<number>,
  { limit, game }: { limit: number; game: Game | null },
): Promise<FoundItems> {
  const model = EMBEDDING_MODEL;
  if ((await nearest.size(model)) === 0) throw unavailable(NO_VECTORS, 3600);
  const hits = await nearest.nearest(model, embedding, limit + MORE_HITS, game);
  const hitIds = hits.map(({ itemId }) => itemId);
  const [alike, impostors] = await Promise.all([lookAlikes(db, hitIds), impostorsOf(db, model)]);
  const cardOf = new Map(alike.map(({ itemId, card }) => [itemId, card]));
  // Items that were removed from the catalog have no facts.
  const known = hits.filter(({ itemId }) => cardOf.has(itemId));
  const best = known[0];
  const measured = impostors !== null;
  if (best === undefined) return { ids: [], confidence: 'none', measured, scores: [], model };
  const card = cardOf.get(best.itemId);
  const rival = known.find(({ itemId }) => cardOf.get(itemId) !== card);
  const siblings = alike.filter((one) => one.card === card).length - 1;
  const margin = rival === undefined ? 0 : best.score - rival.score;
  const confidence = impostors === null ? null : bandAmong(impostors, { score: best.score, margin, siblings });
  if (confidence === 'none') return { ids: [], confidence, measured, scores: [], model };
  const seen = new Set(hitIds);
  // Each hit, then the items of the same card that were not hit themselves, with its score.
  const shown = known
    .flatMap(({ itemId, score }) => {
      const others = alike.filter((one) => one.card === cardOf.get(itemId) && !seen.has(one.itemId));
      for (const other of others) seen.add(other.itemId);
      return [itemId, ...others.map((other) => other.itemId)].map((id) => ({ itemId: id, score }));
    })
    .slice(0, limit);
  const ids = shown.map(({ itemId }) => itemId);
  return { ids, confidence, measured, scores: shown.map(({ score }) => clamped(score)), model };
}

/** Cosines below 0 mean no more than 0 does; rounding takes some above 1. */
function clamped(score: number): number {
  return Math.min(1, Math.max(0, score));
}
