import { mintmark } from './support/mintmark.ts';

console.log((await mintmark.accuracyCsv({ days: 'all' })).split('\n')[0]);
