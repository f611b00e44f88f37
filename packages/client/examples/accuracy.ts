import { mintmark } from './support/mintmark.ts';

const { rows } = await mintmark.accuracy({ game: 'pokemon', days: 365 });
for (const { group, n, mdape, coverage80 } of rows) console.log(group, n, mdape, coverage80);
