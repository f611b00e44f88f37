import { mintmark } from './support/mintmark.ts';

for await (const { event, data } of mintmark.gradedCertStream({ cert: '90000012' })) console.log(event, data);
