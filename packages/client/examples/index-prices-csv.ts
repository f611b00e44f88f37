import { mintmark } from './support/mintmark.ts';

const { closedDay } = await mintmark.health();
const csv = await mintmark.indexPricesCsv({ game: 'pokemon', date: closedDay! });
console.log(csv.split('\n')[0]);
