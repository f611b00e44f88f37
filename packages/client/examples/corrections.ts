import { mintmark } from './support/mintmark.ts';

const { corrections } = await mintmark.corrections({ limit: 5 });
console.log(corrections.length);
