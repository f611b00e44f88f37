import { mintmark } from './support/mintmark.ts';

const { closedDay } = await mintmark.health();
const lines = (await mintmark.recordDay({ day: closedDay! })).trim().split('\n');
console.log(lines.length, lines[0]);
