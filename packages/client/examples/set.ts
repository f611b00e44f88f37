import { mintmark } from './support/mintmark.ts';

const { sets } = await mintmark.setList({ game: 'lorcana' });
const { setName, cards } = await mintmark.set({ game: 'lorcana', set: sets[0]!.setSegment });
console.log(setName, cards.length);
