import { mintmark } from './support/mintmark.ts';

const { results } = await mintmark.search({ q: 'Charizard Base Set PSA 10', limit: 1 });
const card = results[0]!;
const { priceUsdCents, priceRangeUsdCents, asOf } = await mintmark.detailById({ id: card.id });
console.log(asOf, priceUsdCents, priceRangeUsdCents);
