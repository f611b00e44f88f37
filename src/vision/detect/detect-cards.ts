import type { RgbPixels } from '../dominant-colors.ts';
import type { CV } from '../opencv.ts';
import {
  areaOf,
  centerOf,
  cornerDistance,
  diagonalOf,
  distance,
  type Point,
  type Quad,
  scaleQuad,
  sharedArea,
} from '../quad.ts';
import { matOf } from '../rectify.ts';
import { type Candidate, candidatesOf, type Limits } from './candidates.ts';
import { edgesOf } from './edges.ts';
import { evidenceOf } from './evidence.ts';
import { linesOf } from './lines.ts';
import { refined } from './refine.ts';
import { segmentsOf } from './segments.ts';
import { settled } from './settle.ts';

/** The outline of what may be a card, in pixels of the photo, and how sure that is: 0 to 1. */
export type DetectedCard = { quad: Quad; score: number };

export type Kind = 'card' | 'cards';

type Search = Limits & {
  /** Long side of the smaller photo that is looked at. */
  workPx: number;
  lines: number;
  gap: number;
  candidates: number;
};

const SEARCHES: Record<Kind, Search> = {
  card: { workPx: 700, lines: 80, gap: 1, candidates: 200, least: 0.15, most: 1.3, reach: 3 },
  cards: { workPx: 1000, lines: 600, gap: 0.4, candidates: 1500, least: 0.08, most: 0.7, reach: 0.6 },
};
const MAX_ANSWERS = 5;
/** Quads nearer to each other than this share of their diagonal are the same. */
const SAME = { candidates: 0.012, answers: 0.025 };
/** Cards of one photo cover each other by no more of the smaller one's area. */
const MAX_COVERED = 0.35;
const MIN_SCORE = 0.3;
/** How much each piece of evidence counts: fitted to made-up photos by bench/vision/detect-fit.ts. */
const WEIGHTS = [
  1.81, 4.94, 1.4, 2.55, 4.18, -3.01, 3.07, 0.34, -1.17, -0.79, 2.54, -5.54, -4.14, 1.22, -1.69, 1.61, -4.68, -1.73,
  0.08, 1.17, 1.95, 3.32, 4.56,
]; // prettier-ignore
const BIAS = -12;

/**
 * Outlines of cards in a photo, the likeliest first. `card`: up to five of the one card that it shows, such as its
 * edge, that of its sleeve and its inner frame, for recognition to try in turn. `cards`: one of each card.
 */
export function detectCards(cv: CV, photo: RgbPixels, { kind }: { kind: Kind }): DetectedCard[] {
  const search = SEARCHES[kind];
  const work = reduced(cv, photo, search.workPx);
  const scale = photo.width / work.width;
  const edges = edgesOf(work);
  const least = Math.max(10, search.least * 0.14 * Math.max(work.width, work.height));
  const lines = linesOf(edges, segmentsOf(edges, least), search.lines, search.gap);
  const found = distinct(candidatesOf(lines, work, search), search.candidates, SAME.candidates)
    .map(({ quad, score }) => {
      const better = settled(edges, quad);
      const evidence = [...evidenceOf(work, edges, better), score / 10];
      const sum = evidence.reduce((total, value, i) => total + value * WEIGHTS[i]!, BIAS);
      return { quad: better, score: 1 / (1 + Math.exp(-sum)) };
    })
    .sort((a, b) => b.score - a.score);
  const chosen = kind === 'card' ? distinct(found, MAX_ANSWERS, SAME.answers) : apart(found);
  return chosen.map(({ quad, score }) => ({ quad: refined(photo, scaleQuad(quad, scale), scale * 1.5), score }));
}

/** The likeliest quads that hardly cover each other. */
function apart(sorted: readonly DetectedCard[]): DetectedCard[] {
  const kept: DetectedCard[] = [];
  for (const one of sorted) {
    if (one.score < MIN_SCORE) break;
    const area = areaOf(one.quad);
    const isFree = ({ quad }: DetectedCard) => sharedArea(quad, one.quad) < MAX_COVERED * Math.min(area, areaOf(quad));
    if (kept.every(isFree)) kept.push(one);
  }
  return kept;
}

/** The first `most` quads that are not nearly the same as an earlier one. */
function distinct<T extends Pick<Candidate, 'quad'>>(sorted: readonly T[], most: number, same: number): T[] {
  const kept: T[] = [];
  const centers: Point[] = [];
  for (const one of sorted) {
    const near = same * diagonalOf(one.quad);
    const center = centerOf(one.quad);
    // Centers are never further apart than the corners that are furthest apart.
    const isNew = (i: number) => distance(centers[i]!, center) > near || cornerDistance(kept[i]!.quad, one.quad) > near;
    if (!kept.every((_, i) => isNew(i))) continue;
    kept.push(one);
    centers.push(center);
    if (kept.length === most) break;
  }
  return kept;
}

/** The photo within a long side; smaller ones stay as they are. */
function reduced(cv: CV, photo: RgbPixels, longSidePx: number): RgbPixels {
  const scale = longSidePx / Math.max(photo.width, photo.height);
  if (scale >= 1) return photo;
  const size = new cv.Size(Math.round(photo.width * scale), Math.round(photo.height * scale));
  const mat = matOf(cv, photo);
  try {
    cv.resize(mat, mat, size, 0, 0, cv.INTER_AREA);
    return { data: new Uint8Array(mat.data), width: size.width, height: size.height };
  } finally {
    mat.delete();
  }
}
