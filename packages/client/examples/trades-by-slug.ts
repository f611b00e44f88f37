import { pages } from '../src/index.ts';
import { mintmark } from './support/mintmark.ts';

const { results } = await mintmark.search({ q: 'Charizard Base Set PSA 10', limit: 1 });
const card = results[0]!;
const [game, set, item] = card.href.split('/').slice(2) as [string, string, string];
for await (const { trades } of pages(mintmark.tradesBySlug, { game, set, item, limit: 20 }))
  for (const { observedAt, priceUsdCents, disposition } of trades) console.log(observedAt, priceUsdCents, disposition);
