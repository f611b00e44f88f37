import { mintmark } from './support/mintmark.ts';

const { results } = await mintmark.search({ q: 'Pikachu Jungle 1st Edition', limit: 3 });
for (const { href, priceUsdCents } of results) console.log(href, priceUsdCents);
