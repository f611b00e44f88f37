import { mintmark, sayProblem } from './support/mintmark.ts';

const bulk = await mintmark.bulk().catch(sayProblem);
if (bulk) {
  const response = await mintmark.bulkFile({ name: bulk.files[0]!.name });
  console.log((await response.arrayBuffer()).byteLength);
}
