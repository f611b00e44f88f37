import { mintmark } from './support/mintmark.ts';

const { results } = await mintmark.resolve({ body: { titles: ['1999 Pokemon Base Set Charizard #4 Holo PSA 9'] } });
console.log(results[0]);
