import sharp from 'sharp';
import type { FileRoute } from '../../http/file-route.ts';
import { notFound } from '../../http/problem.ts';
import { SAMPLE_PHOTOS } from '../../web/scan/scan-samples.tsx';
import { demoArtAt } from './demo-art.ts';

/** A card of the demo as it was laid down to be photographed. */
type Scene = { art: string; turn: number; shear: readonly [number, number]; ground: string };

const SCENES: readonly Scene[] = [
  { art: '/demo/art/pokemon/4-charizard.svg', turn: 7, shear: [0.04, -0.03], ground: '#8a6a4a' },
  { art: '/demo/art/one-piece/op01-120-shanks.svg', turn: -14, shear: [-0.05, 0.04], ground: '#3d4a45' },
  { art: '/demo/art/mtg/black-lotus.svg', turn: 21, shear: [0.02, 0.06], ground: '#6b7480' },
];

const WIDTH = 1000;
const HEIGHT = 1250;
/** Drawings are 300 pixels wide at the 72 dots of an inch. */
const CARD_DENSITY = 144;
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 };

/** A photo of a drawn card: turned, a little aslant, on a ground with grain and a shadow. Always the same bytes. */
async function demoPhoto({ art, turn, shear: [across, down], ground }: Scene): Promise<Buffer> {
  const card = await sharp(Buffer.from(demoArtAt(art)!), { density: CARD_DENSITY })
    .png()
    .toBuffer();
  const laid = await sharp(card)
    .affine([1, across, down, 1], { background: CLEAR })
    .rotate(turn, { background: CLEAR })
    .png()
    .toBuffer();
  const shadow = await sharp(laid).ensureAlpha().modulate({ brightness: 0 }).blur(12).png().toBuffer();
  const grain = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <filter id="grain"><feTurbulence baseFrequency="0.02 0.3" numOctaves="2" seed="7"/>
    <feColorMatrix values="0 0 0 0 0  0 0 0 0 0  0 0 0 0 0  0.25 0 0 0 0"/></filter>
    <rect width="100%" height="100%" fill="${ground}"/><rect width="100%" height="100%" filter="url(#grain)"/></svg>`;
  return sharp(Buffer.from(grain))
    .composite([{ input: shadow }, { input: laid }])
    .flatten({ background: ground })
    .blur(0.6)
    .jpeg({ quality: 82 })
    .toBuffer();
}

const made = new Map<string, Promise<Buffer>>();

function photoOf(scene: Scene): Promise<Buffer> {
  if (!made.has(scene.art)) made.set(scene.art, demoPhoto(scene));
  return made.get(scene.art)!;
}

/** Makes the sample photos now, so that the first visit of the scan page finds them. */
export async function makeSamplePhotos(): Promise<void> {
  for (const scene of SCENES) await photoOf(scene);
}

/** The sample photos of the scan page: on an installation of the demo only. */
export const demoPhotoFile: FileRoute = {
  path: '/demo/photos/:file',
  isServed: ({ isDemo }) => isDemo,
  async answer(_context, { params }) {
    const at = SAMPLE_PHOTOS.findIndex(({ href }) => href === `/demo/photos/${params.file}`);
    const scene = SCENES[at];
    if (scene === undefined) throw notFound('There is no photo at this address.');
    return {
      body: await photoOf(scene),
      headers: { 'content-type': 'image/jpeg', 'cache-control': 'public, max-age=86400' },
    };
  },
};
