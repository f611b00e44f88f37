import { demoPhoto, mintmark } from './support/mintmark.ts';

const { results } = await mintmark.searchByImages({ body: { items: [await demoPhoto(), await demoPhoto()] } });
console.log(results.length);
