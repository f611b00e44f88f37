import { mintmark } from './support/mintmark.ts';

const { results } = await mintmark.search({ q: 'Charizard Base Set PSA 10', limit: 1 });
const card = results[0]!;
const { id } = await mintmark.reportIssue({
  body: { message: 'Sold for a third of this yesterday.', category: 'wrong_price', cardHref: card.href },
});
console.log(id);
