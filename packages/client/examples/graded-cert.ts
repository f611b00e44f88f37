import { mintmark } from './support/mintmark.ts';

const { cert, gradeLabel, card } = await mintmark.gradedCert({ cert: '90000012' });
console.log(cert, gradeLabel, card?.priceUsdCents);
