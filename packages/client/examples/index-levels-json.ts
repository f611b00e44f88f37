import { mintmark } from './support/mintmark.ts';

console.log(Object.keys(await mintmark.indexLevelsJson({ game: 'pokemon' })));
