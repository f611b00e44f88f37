import { mintmark } from './support/mintmark.ts';

const { ok, uptimeSeconds } = await mintmark.health();
console.log(ok, uptimeSeconds);
