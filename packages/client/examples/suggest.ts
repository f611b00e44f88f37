import { mintmark } from './support/mintmark.ts';

const { suggestions } = await mintmark.suggest({ q: 'chari' });
for (const { text } of suggestions) console.log(text);
