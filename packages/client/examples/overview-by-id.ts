import { mintmark } from './support/mintmark.ts';

const { results } = await mintmark.search({ q: 'Charizard Base Set PSA 10', limit: 1 });
const card = results[0]!;
const { grades } = await mintmark.overviewById({ id: card.id });
for (const { gradeLabel, priceUsdCents } of grades) console.log(gradeLabel, priceUsdCents);
