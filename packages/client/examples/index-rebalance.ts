import { mintmark } from './support/mintmark.ts';

const { closedDay } = await mintmark.health();
const { eligible, members } = await mintmark.indexRebalance({ game: 'pokemon', date: `${closedDay!.slice(0, 7)}-01` });
console.log(eligible, members.length);
