import { mintmark } from './support/mintmark.ts';

const { results } = await mintmark.search({ q: 'Charizard Base Set PSA 10', limit: 1 });
const card = results[0]!;
const [game, set, item] = card.href.split('/').slice(2) as [string, string, string];
const { priceUsdCents, priceRangeUsdCents, asOf } = await mintmark.detailBySlug({ game, set, item });
console.log(asOf, priceUsdCents, priceRangeUsdCents);
