import { mintmark } from './support/mintmark.ts';

console.log(Object.keys(await mintmark.indexBasketsJson({ game: 'pokemon' })));
