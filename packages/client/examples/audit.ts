import { mintmark } from './support/mintmark.ts';

const { suspects } = await mintmark.audit({ state: 'open', limit: 5 });
console.log(suspects.length);
