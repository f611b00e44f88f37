import { mintmark } from './support/mintmark.ts';

const { sets } = await mintmark.setList({ game: 'pokemon' });
for (const { setName, cardCount } of sets) console.log(setName, cardCount);
