import { mintmark } from './support/mintmark.ts';

const { results } = await mintmark.search({ q: 'Charizard Base Set PSA 10', limit: 1 });
const card = results[0]!;
const [game, set, item] = card.href.split('/').slice(2) as [string, string, string];
const { points } = await mintmark.fmvSeriesBySlug({ game, set, item, window: 30 });
console.log(points.at(-1));
