import { mintmark } from './support/mintmark.ts';

const { games } = await mintmark.games();
for (const { label, itemCount } of games) console.log(label, itemCount);
