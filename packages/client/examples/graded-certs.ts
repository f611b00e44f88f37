import { mintmark } from './support/mintmark.ts';

const { results } = await mintmark.gradedCerts({ certs: '90000012,90000013' });
for (const { cert, found } of results) console.log(cert, found);
