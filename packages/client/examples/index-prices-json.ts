import { mintmark } from './support/mintmark.ts';

const { closedDay } = await mintmark.health();
console.log(Object.keys(await mintmark.indexPricesJson({ game: 'pokemon', date: closedDay! })));
