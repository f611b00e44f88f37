import { pino } from 'pino';
import type { Db, Sql } from '../db/client.ts';
import type { Band } from './recognise/confidence.ts';
import type { VectorHit } from './vectors/best.ts';
import { type Nearest, openNearest } from './vectors/nearest.ts';
import { countVectors, readSample } from './vectors/stored-vectors.ts';

/**
 * How near a card comes that is not the one in the photo. Measured within the catalog: for each of some cards, the
 * nearest card of another name represents the result had the card itself been missing.
 */
export type Impostors = {
  /** Cosine that half of them stay below, 95% and 99.8%. */
  half: number;
  most: number;
  nearlyAll: number;
  /** How far 99.8% of them are at most before the next card. */
  margin: number;
};

const SAMPLE = 1000;
/** Below it the share of .2% is nobody. */
const FEWEST_VECTORS = 500;
const HITS = 64;
/** Measured again when there are so many times as many vectors, or so many times fewer. */
const GROWTH = 1.2;

/**
 * The confidence that the best hit is the searched card: at most the rarity of impostors at this score. Items
 * with the same picture (`siblings`) are never `high`.
 */
export function bandAmong(
  impostors: Impostors,
  { score, margin, siblings }: { score: number; margin: number; siblings: number },
): Band {
  if (score < impostors.half) return 'none';
  if (score < impostors.most) return 'low';
  const isSure = score > impostors.nearlyAll || margin > impostors.margin;
  return isSure && siblings === 0 ? 'high' : 'medium';
}

/** What was measured last; null when nothing was. */
export async function impostorsOf(sql: Sql, model: string): Promise<Impostors | null> {
  const [row] = await sql.prepared<{ scores: number[]; margin: number }>(
    'impostors_of',
    'select impostor_scores as scores, impostor_margin as margin from vector_spaces where model = $1',
    [model],
  );
  if (row === undefined) return null;
  const [half, most, nearlyAll] = row.scores as [number, number, number];
  return { half, most, nearlyAll, margin: row.margin };
}

/** Measures a model's impostors when its vectors have become many more or fewer since. */
export async function keepMeasured(db: Db, model: string): Promise<void> {
  const vectors = (await countVectors(db)).get(model) ?? 0;
  const [known] = await db.query<{ vectors: number }>('select vectors from vector_spaces where model = $1', [model]);
  if (vectors < FEWEST_VECTORS) {
    if (known !== undefined) await db.query('delete from vector_spaces where model = $1', [model]);
    return;
  }
  if (known !== undefined && vectors < known.vectors * GROWTH && vectors * GROWTH > known.vectors) return;
  const nearest = await openNearest({ db, log: pino({ level: 'silent' }) });
  try {
    const { half, most, nearlyAll, margin } = await measured(db, model, nearest);
    await db.query(
      `insert into vector_spaces (model, vectors, impostor_scores, impostor_margin) values ($1, $2, $3, $4)
       on conflict (model) do update set vectors = excluded.vectors, impostor_scores = excluded.impostor_scores,
         impostor_margin = excluded.impostor_margin, measured_at = now()`,
      [model, vectors, [half, most, nearlyAll], margin],
    );
  } finally {
    await nearest.close();
  }
}

async function measured(db: Db, model: string, nearest: Nearest): Promise<Impostors> {
  const sample = await readSample(db, model, SAMPLE);
  const found: VectorHit[][] = [];
  for (const { vector } of sample) found.push(await nearest.nearest(model, vector, HITS));
  const nameOf = await namesOf(
    db,
    [...sample, ...found.flat()].map(({ itemId }) => itemId),
  );
  return impostorsAmong(
    sample.map(({ itemId }, i) => ({
      name: nameOf.get(itemId)!,
      found: found[i]!.map((hit) => ({ name: nameOf.get(hit.itemId)!, score: hit.score })),
    })),
  );
}

/** What was found for a card of the catalog, the best first. */
export type NamedScore = { name: string | number; score: number };

/** Of cards by name, each with what was found for its own vector. */
export function impostorsAmong(cards: readonly { name: string | number; found: readonly NamedScore[] }[]): Impostors {
  const scores: number[] = [];
  const margins: number[] = [];
  for (const { name, found } of cards) {
    const others = found.filter((hit) => hit.name !== name);
    // Its own printings fill the list: the first impostor is below the last of them.
    const first = others[0] ?? found.at(-1)!;
    const second = others.find((hit) => hit.name !== first.name);
    scores.push(first.score);
    if (second !== undefined) margins.push(first.score - second.score);
  }
  return {
    half: quantile(scores, 0.5),
    most: quantile(scores, 0.95),
    nearlyAll: quantile(scores, 0.998),
    margin: quantile(margins, 0.998),
  };
}

async function namesOf(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; name: string }>('select id, name from items where id = any($1::uuid[])', [
    [...new Set(ids)],
  ]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The smallest value that at least this share of them do not exceed; 1 without any. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 1;
}
