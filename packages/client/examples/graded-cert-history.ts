import { mintmark } from './support/mintmark.ts';

const { sales, contradictions } = await mintmark.gradedCertHistory({ cert: '90000012' });
console.log(sales.length, 'recorded sales of this slab');
for (const { soldAt, priceUsdCents, referencePriceUsdCents } of sales)
  console.log(soldAt, priceUsdCents, referencePriceUsdCents);
for (const { text } of contradictions) console.log(text);
