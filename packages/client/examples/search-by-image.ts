import { demoPhoto, mintmark } from './support/mintmark.ts';

const { confidence, ids } = await mintmark.searchByImage({ hydrate: '0', body: { file: await demoPhoto() } });
console.log(confidence, ids?.[0]);
