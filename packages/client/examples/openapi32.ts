import { mintmark } from './support/mintmark.ts';

const { openapi } = await mintmark.openapi32();
console.log(openapi);
