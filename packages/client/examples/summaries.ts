import { mintmark } from './support/mintmark.ts';

const { results } = await mintmark.search({ q: 'Charizard', limit: 5 });
for (const card of await mintmark.summaries({ ids: results.map(({ id }) => id).join() }))
  console.log(card.name, card.gradeLabel, card.priceUsdCents);
