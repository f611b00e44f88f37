import { mintmark } from './support/mintmark.ts';

const { tags } = await mintmark.tags({ kind: 'character', q: 'char', game: 'pokemon' });
for (const { slug, name } of tags) console.log(slug, name);
