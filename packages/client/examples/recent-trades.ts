import { mintmark } from './support/mintmark.ts';

const { trades } = await mintmark.recentTrades({ limit: 3 });
for (const { gradeLabel, priceUsdCents } of trades) console.log(gradeLabel, priceUsdCents);
