import { Type } from 'typebox';

/** What `all` means in days: longer than any ledger, and accepted as a number. */
export const ALL_DAYS = 36_500;

/** `window`: whole days from 1, or `all`. Anything else is rejected: a silent fallback would answer another question. */
export const windowParameter = Type.Union([Type.Integer({ minimum: 1, maximum: ALL_DAYS }), Type.Literal('all')], {
  description: `Days back, 1 to ${ALL_DAYS} (7, 30, 90, 365, 1095 are usual), or \`all\`.`,
});

export function windowDaysOf(window: number | 'all'): number {
  return window === 'all' ? ALL_DAYS : window;
}
