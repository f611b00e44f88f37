import { demoPhoto, mintmark } from './support/mintmark.ts';

for await (const { event } of mintmark.gradedByImage({ body: { file: await demoPhoto() } })) console.log(event);
