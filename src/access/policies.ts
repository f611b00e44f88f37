import type { RequestLimits } from '../config.ts';
import type { Caller, PolicyName } from '../http/gate.ts';

/** Policies with a budget of a day. */
export type Budgeted = Exclude<PolicyName, 'downloads' | 'free' | 'open'>;

/** Policies whose failed tries are counted separately: their budgets are small, and a mistake must not empty one. */
export function forgivesFailures(policy: Budgeted): boolean {
  return policy === 'image' || policy === 'intake';
}

export const SECONDS_PER_DAY = 86_400;

/** The policy as RateLimit-Policy states it (draft-ietf-httpapi-ratelimit-headers). */
export function policyHeader(name: string, limit: number, windowSeconds = SECONDS_PER_DAY): string {
  return `"${name}";q=${limit};w=${windowSeconds}`;
}

export function limitOf(limits: RequestLimits, policy: Budgeted, tier: Caller['tier']): number {
  return limits[policy][tier];
}
