/** Values of a vector. */
export const VECTOR_LENGTH = 512;
/** How far the norm of a vector may be from 1. */
const NORM_TOLERANCE = 1e-3;
/** Scale of the cosines: CLIP's learned temperature, at the bound that its training clips it to. */
const LOGIT_SCALE = 100;
/** Share of the probability from which on a text is taken for true. */
const THRESHOLD = 0.5;

/** A list of 512 finite numbers of length 1 (within a thousandth), as encoders of images and texts give them. */
export function isUnitVector(value: unknown): value is number[] {
  if (!Array.isArray(value) || value.length !== VECTOR_LENGTH) return false;
  if (!value.every((one) => typeof one === 'number' && Number.isFinite(one))) return false;
  return Math.abs(Math.hypot(...(value as number[])) - 1) <= NORM_TOLERANCE;
}

/**
 * The slugs of the texts that fit a picture: p(k) = exp(100 cos(x, t_k)) / Σ_j exp(100 cos(x, t_j)), and those
 * with p(k) ≥ 0.5. Vectors have length 1 and come from one model. Source: zero-shot classification of CLIP (Radford et
 * al., Learning Transferable Visual Models From Natural Language Supervision, 2021, section 3.1.2).
 */
export function zeroShotTags(
  itemVector: readonly number[],
  texts: readonly { slug: string; vector: readonly number[] }[],
): string[] {
  const logits = texts.map(({ vector }) => LOGIT_SCALE * cosine(itemVector, vector));
  // The largest is taken off each: the shares stay, and no exponent overflows.
  const largest = Math.max(...logits);
  const weights = logits.map((logit) => Math.exp(logit - largest));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return texts.filter((_, k) => weights[k]! / sum >= THRESHOLD).map(({ slug }) => slug);
}

function cosine(a: readonly number[], b: readonly number[]): number {
  let dot = 0;
  for (let i = 0; i < a.length; i++) dot += a[i]! * b[i]!;
  return dot / (Math.hypot(...a) * Math.hypot(...b));
}
