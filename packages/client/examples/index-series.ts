import { mintmark } from './support/mintmark.ts';

const { points } = await mintmark.indexSeries({ game: 'pokemon', window: 30 });
console.log(points.at(-1));
