import { mintmark } from './support/mintmark.ts';

const { indices } = await mintmark.indices();
for (const { label, value } of indices) console.log(label, value);
