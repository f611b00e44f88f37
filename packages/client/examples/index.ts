import { mintmark } from './support/mintmark.ts';

const { label, constituents } = await mintmark.index({ game: 'pokemon' });
console.log(label, constituents.length);
