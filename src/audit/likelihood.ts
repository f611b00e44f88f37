import { median } from '../lib/stats.ts';

/** Degrees of freedom of Student's t: a few wild prices must not decide. */
const FREEDOM = 12;

/** The logarithm of the density of Student's t about `centre`, without its constant term. */
export function logDensity(value: number, centre: number, variance: number): number {
  const square = (value - centre) ** 2 / variance;
  return -0.5 * (FREEDOM + 1) * Math.log1p(square / FREEDOM) - 0.5 * Math.log(variance);
}

/** The probability of a hypothesis, of what it was before the evidence and the logarithm of the likelihood ratio. */
export function probabilityOf(logRatio: number, prior: number): number {
  return 1 / (1 + Math.exp(-logRatio - Math.log(prior / (1 - prior))));
}

/** Of a normal distribution, the standard deviation in median absolute deviations. */
const MAD_TO_DEVIATION = 1.4826;

/** The median and the variance that the median absolute deviation implies; NaN for no value. */
export function robustMoments(values: readonly number[]): { centre: number; variance: number } {
  const centre = median(values);
  const deviation = MAD_TO_DEVIATION * median(values.map((value) => Math.abs(value - centre)));
  return { centre, variance: deviation ** 2 };
}

/** A value with the variance of its own noise, and the groups that it belongs to, the coarsest first. */
export type Sample = { value: number; noise: number; groups: readonly string[] };
/** What is usual: the center, how far values are from it without their noise, and how many others of the finest group it rests on. */
export type Usual = { centre: number; variance: number; count: number };

/** A finer group outweighs the coarser one once it has about so many values. */
const PSEUDO_COUNT = 4;
/** The variance of a few values is less certain than their center. */
const VARIANCE_COUNT = 25;
/** Fewer say nothing of how far they are apart. */
const LEAST_FOR_VARIANCE = 5;
/** Of the variance of values, noise explains at most the rest. */
const LEAST_SHARE = 0.2;
/** A value has no weight in its own usual; among so many it does not matter. */
const MANY = 60;

/**
 * Estimates what is usual of each sample from the others of its groups: a finer group is shrunk towards the coarser one, which
 * begins at 0 with the variance `first`. Medians, so that a few wrong samples do not move it. Each sample is estimated
 * once; `without`: the one that is left out, the sample itself unless given.
 */
export function usualOf<One extends Sample>(
  samples: readonly One[],
  first: number,
): (sample: One, without?: One) => Usual {
  const groups = new Map<string, One[]>();
  for (const sample of samples)
    for (const key of sample.groups) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [sample]);
      else group.push(sample);
    }
  const whole = new Map<string, { centre: number; variance: number }>();
  const momentsOf = (key: string, self: One) => {
    const group = groups.get(key) ?? [];
    const others = group.length > MANY ? group : group.filter((one) => one !== self);
    const known = group.length > MANY ? whole.get(key) : undefined;
    const moments = known ?? momentsWithin(others);
    if (group.length > MANY) whole.set(key, moments);
    return { ...moments, count: others.length };
  };
  const estimated = new Map<One, Usual>();
  return (sample, without = sample) => {
    const earlier = without === sample ? estimated.get(sample) : undefined;
    if (earlier !== undefined) return earlier;
    let usual: Usual = { centre: 0, variance: first, count: 0 };
    for (const key of sample.groups) {
      const { centre, variance, count } = momentsOf(key, without);
      if (count === 0) {
        usual = { ...usual, count };
        continue;
      }
      const share = count / (count + PSEUDO_COUNT);
      const shareOfVariance = count / (count + VARIANCE_COUNT);
      const known = count >= LEAST_FOR_VARIANCE ? variance : usual.variance;
      usual = {
        centre: share * centre + (1 - share) * usual.centre,
        variance: shareOfVariance * known + (1 - shareOfVariance) * usual.variance,
        count,
      };
    }
    const made = { ...usual, variance: usual.variance * (1 + 1 / (usual.count + PSEUDO_COUNT)) };
    if (without === sample) estimated.set(sample, made);
    return made;
  };
}

/** The moments of samples, without the variance that their noise brings. */
function momentsWithin(samples: readonly Sample[]): { centre: number; variance: number } {
  const { centre, variance } = robustMoments(samples.map(({ value }) => value));
  const noise = median(samples.map((sample) => sample.noise));
  return { centre, variance: Math.max(LEAST_SHARE * variance, variance - noise) };
}
