import { Type } from 'typebox';

/** What `all` means in days: longer than any ledger, and accepted as a number. */
export const ALL_DAYS = 36_500;

/** `window`: whole days from 1, or `all`. Garbage is refused: clients were bitten by silent fallbacks. */
export const windowParameter = Type.String({
  pattern: '^(all|[1-9][0-9]{0,3}|[12][0-9]{4}|3[0-5][0-9]{3}|36[0-4][0-9]{2}|36500)$',
  description: `Days back, 1 to ${ALL_DAYS} (7, 30, 90, 365, 1095 are usual), or \`all\`.`,
});

export function windowDaysOf(text: string): number {
  return text === 'all' ? ALL_DAYS : Number(text);
}
