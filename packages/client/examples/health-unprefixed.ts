import { mintmark } from './support/mintmark.ts';

const { ok, closedDay } = await mintmark.healthUnprefixed();
console.log(ok, closedDay);
