import { mintmark } from './support/mintmark.ts';

const { closedDay, ledger } = await mintmark.status();
console.log(closedDay, ledger.newestSaleAt);
