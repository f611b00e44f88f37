import { demoPhoto, mintmark } from './support/mintmark.ts';

const { boxes } = await mintmark.detectItems({ body: { file: await demoPhoto() } });
for (const { kind, x, y, width, height } of boxes) console.log(kind, x, y, width, height);
