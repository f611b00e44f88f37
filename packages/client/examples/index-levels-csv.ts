import { mintmark } from './support/mintmark.ts';

const csv = await mintmark.indexLevelsCsv({ game: 'pokemon' });
console.log(csv.split('\n')[0]);
