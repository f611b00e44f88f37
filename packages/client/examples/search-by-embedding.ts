import { mintmark, sayProblem } from './support/mintmark.ts';

// The embedding of a photo, made by the encoder that `embeddingModel` describes.
const embedding = Array.from({ length: 512 }, (_, i) => (i === 0 ? 1 : 0));
console.log(await mintmark.searchByEmbedding({ body: { embedding, limit: 3 } }).catch(sayProblem));
