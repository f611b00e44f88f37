import { mintmark, sayProblem } from './support/mintmark.ts';

// Made after a close.
const bulk = await mintmark.bulk().catch(sayProblem);
if (bulk) for (const { name, bytes } of bulk.files) console.log(name, bytes);
