import { mintmark } from './support/mintmark.ts';

const csv = await mintmark.indexBasketsCsv({ game: 'pokemon' });
console.log(csv.split('\n')[0]);
