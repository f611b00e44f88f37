import { mintmark } from './support/mintmark.ts';

const { cards } = await mintmark.featured({ limit: 3 });
for (const { name, deltaPct } of cards) console.log(name, deltaPct);
