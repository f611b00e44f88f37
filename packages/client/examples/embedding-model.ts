import { mintmark, sayProblem } from './support/mintmark.ts';

// Only where the operator has added an encoder.
console.log(await mintmark.embeddingModel().catch(sayProblem));
