import { mintmark } from './support/mintmark.ts';

const { results } = await mintmark.search({ q: 'Charizard Base Set PSA 10', limit: 1 });
const card = results[0]!;
const { points } = await mintmark.seriesById({ id: card.id, window: 30 });
console.log(points.length);
