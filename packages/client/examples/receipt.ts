import { mintmark } from './support/mintmark.ts';

const { results } = await mintmark.search({ q: 'Charizard Base Set PSA 10', limit: 1 });
const card = results[0]!;
const { closedDay } = await mintmark.health();
const receipt = await mintmark.receipt({ item: card.id, grade: 'psa-10', day: closedDay! });
console.log(Object.keys(receipt));
