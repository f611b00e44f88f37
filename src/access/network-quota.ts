import { networksOf } from './address.ts';
import type { Quota, QuotaTaken } from './quota.ts';
import type { Budget } from './quota-blocks.ts';

/** A quota in which a request from an IPv6 address also takes a unit of the wider budgets of its /56 and its /48. */
export function withNetworks(quota: Quota): Quota {
  return {
    ...quota,
    take(budget) {
      const wider = widerOf(budget);
      return wider.length === 0 ? quota.take(budget) : takeAll(quota, budget, wider);
    },
    giveBack(budget, taken) {
      for (const one of [budget, ...widerOf(budget)]) quota.giveBack(one, taken);
    },
  };
}

function widerOf({ policy, subject, limit }: Budget): Budget[] {
  return networksOf(subject).map(({ network, times }) => ({
    policy,
    subject: `network:${network}`,
    limit: limit * times,
  }));
}

async function takeAll(quota: Quota, own: Budget, wider: readonly Budget[]): Promise<QuotaTaken> {
  const first = await quota.take(own);
  if (!first.admitted) return first;
  const taken = [own];
  for (const budget of wider) {
    const { admitted } = await quota.take(budget);
    if (!admitted) {
      for (const one of taken) quota.giveBack(one, first);
      return { ...first, admitted: false, network: budget.subject.replace('network:', '') };
    }
    taken.push(budget);
  }
  return first;
}
