import type { RgbPixels } from '../pictures/dominant-colors.ts';
import { centerOf, cornerDistance, diagonalOf, type Quad } from '../quad.ts';
import { contentOf } from './content.ts';
import { evidenceOf, type QuadEvidence, scoreOf } from './edge-evidence.ts';
import { type EdgeLine, linesOf } from './edge-lines.ts';
import { type EdgeMap, edgesOf } from './edges.ts';
import { candidatesOf, type QuadCandidate, type SearchLimits } from './quad-candidates.ts';
import { segmentsOf } from './segments.ts';
import { settled } from './settle.ts';
import { sidesOfCard } from './sides.ts';
import { variantsOf } from './variants.ts';

export type Search = SearchLimits & {
  /** Straight edges are as long as this share of the photo's long side at least. */
  segment: number;
  lines: number;
  /** Gaps between segments of one line are no wider than this share of its length. */
  gap: number;
  /** How many quads are examined closely, and of how many their variants too. */
  candidates: number;
  varied: number;
  /** How many candidates of about one place and size are kept. */
  perPlace: number;
};

export type ScoredQuad = {
  quad: Quad;
  evidence: QuadEvidence;
  score: number;
  /** Share of the inside that edges run through: 0 to 1. */
  content: number;
};

const MIN_SEGMENT_PX = 10;
/**
 * Quads are examined closely, variants included, until their diagonals add up to this: the time is in proportion to them.
 * Those of pages and boards of real cards add up to 1.6 million pixels, those of a mosaic to 3.9.
 */
const MOST_LOOKED_PX = 2_100_000;
/** Quads nearer to each other than this share of their diagonal are the same. */
const SAME = 0.012;
/** A place is that share of a diagonal wide; sizes differ by that much of their logarithm. */
const PLACE = 0.12;
const SIZE_STEP = 0.12;
/** More than the places of one size side by side. */
const MOST_CELLS = 4096;

/** What a small photo shows: its edges, the lines they form, and quads that may be cards, the likeliest first. */
export type PhotoEdges = { edges: EdgeMap; lines: readonly EdgeLine[]; quads: ScoredQuad[] };

/** Edges and lines of a small photo, and quads that may be cards, the likeliest first. */
export function lookAt(photo: RgbPixels, search: Search): PhotoEdges {
  const edges = edgesOf(photo);
  const leastPx = Math.max(MIN_SEGMENT_PX, search.segment * Math.max(photo.width, photo.height));
  const lines = linesOf(edges, segmentsOf(edges, leastPx), search.lines, search.gap);
  const look = (rough: Quad) => {
    const quad = settled(edges, rough);
    const sides = sidesOfCard(photo, edges, quad);
    const evidence = evidenceOf(quad, sides, photo);
    return { quad, sides, evidence, score: scoreOf(evidence), content: contentOf(edges, quad) };
  };
  const candidates = spread(candidatesOf(lines, photo, search), search);
  const first = candidates.map(({ quad }) => look(quad)).sort(byScore);
  const varied = distinct(first, search.varied, SAME).flatMap(({ quad, sides }) => variantsOf(quad, sides, photo));
  const known = first.map(({ quad }) => ({ quad }));
  const more = distinct([...known, ...varied.map((quad) => ({ quad }))], Number.POSITIVE_INFINITY, SAME).slice(
    known.length,
  );
  let leftPx = first.reduce((left, { quad }) => left - diagonalOf(quad), MOST_LOOKED_PX);
  const others = more.filter(({ quad }) => {
    leftPx -= diagonalOf(quad);
    return leftPx > 0;
  });
  return { edges, lines, quads: [...first, ...others.map(({ quad }) => look(quad))].sort(byScore) };
}

/** The likeliest candidates of each place, so that a few busy places do not take all. */
function spread(sorted: readonly QuadCandidate[], { candidates, perPlace }: Search): QuadCandidate[] {
  const counts = new Map<number, number>();
  const chosen = sorted.filter(({ quad }) => {
    const size = Math.round(Math.log(diagonalOf(quad)) / SIZE_STEP);
    const cell = PLACE * Math.exp(size * SIZE_STEP);
    const [x, y] = centerOf(quad);
    const place = (size * MOST_CELLS + Math.round(x / cell)) * MOST_CELLS + Math.round(y / cell);
    const count = (counts.get(place) ?? 0) + 1;
    counts.set(place, count);
    return count <= perPlace;
  });
  return distinct(chosen, candidates, SAME);
}

function byScore(a: ScoredQuad, b: ScoredQuad): number {
  return b.score - a.score;
}

/** The first `most` quads that are not nearly the same as an earlier one. */
export function distinct<T extends { quad: Quad }>(sorted: readonly T[], most: number, same: number): T[] {
  const kept: T[] = [];
  const xs: number[] = [];
  const ys: number[] = [];
  for (const one of sorted) {
    const near = same * diagonalOf(one.quad);
    const [x, y] = centerOf(one.quad);
    let isNew = true;
    for (let i = 0; i < kept.length && isNew; i++) {
      // The distance of the centers is never greater than the largest distance of the corners.
      const isNear = Math.abs(xs[i]! - x) <= near && Math.abs(ys[i]! - y) <= near;
      isNew = !isNear || cornerDistance(kept[i]!.quad, one.quad) > near;
    }
    if (!isNew) continue;
    kept.push(one);
    xs.push(x);
    ys.push(y);
    if (kept.length === most) break;
  }
  return kept;
}
