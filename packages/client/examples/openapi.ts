import { mintmark } from './support/mintmark.ts';

const { openapi } = await mintmark.openapi();
console.log(openapi);
