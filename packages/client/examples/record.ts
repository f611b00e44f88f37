import { mintmark } from './support/mintmark.ts';

const { origin, publicKey } = await mintmark.record();
console.log(origin, publicKey);
