import { mintmark } from './support/mintmark.ts';

const { ready, search } = await mintmark.readyUnprefixed();
console.log(ready, search);
