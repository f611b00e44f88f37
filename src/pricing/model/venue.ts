import { type Params, REFERENCE_VENUE, VENUE_CLASSES, type VenueClass } from './params.ts';

/** What a venue class adds to a log price over the reference class, and the variance of that belief. */
type VenueEffect = { effect: number; variance: number };
export type Venues = Record<VenueClass, VenueEffect>;

export function newVenues(params: Params): Venues {
  const entries = VENUE_CLASSES.map((venue) => [
    venue,
    { effect: params.venuePrior[venue], variance: venue === REFERENCE_VENUE ? 0 : params.venueSd ** 2 },
  ]);
  return Object.fromEntries(entries) as Venues;
}

/**
 * Section 2 step 5: two sales of one series through different venues, `gapDays` apart, measure the difference of the
 * venues' effects. Pairs, not levels: a card's own level cannot absorb a venue's bias.
 * `difference` = detrended log price of the later sale minus that of the earlier one.
 */
export function learnVenues(
  later: VenueEffect,
  earlier: VenueEffect,
  difference: number,
  gapDays: number,
  params: Params,
): void {
  const noise = 2 * params.saleVariance + params.levelVariancePerDay * gapDays;
  const error = difference - (later.effect - earlier.effect);
  const prior = later.variance + earlier.variance;
  const weight = (params.nu + 1) / (params.nu + (error * error) / (prior + noise));
  const total = prior + noise / weight;
  const gainLater = later.variance / total;
  const gainEarlier = earlier.variance / total;
  later.effect += gainLater * error;
  earlier.effect -= gainEarlier * error;
  shrink(later, gainLater, params);
  shrink(earlier, gainEarlier, params);
}

/** The reference venue's variance is zero and stays so. */
function shrink(venue: VenueEffect, gain: number, params: Params): void {
  if (venue.variance > 0) venue.variance = venue.variance * (1 - gain) + params.venueVariancePerUpdate;
}
