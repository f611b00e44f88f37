import { mintmark } from './support/mintmark.ts';

const { tier, policies } = await mintmark.usage();
console.log(tier);
for (const { policy, limit, remaining } of policies) console.log(policy, remaining, 'of', limit);
