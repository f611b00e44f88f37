import { readFile } from 'node:fs/promises';
import type { Game } from '../../catalog/games.ts';
import { detectCards } from '../detect/detect-cards.ts';
import { embedPicture } from '../encoder/embed.ts';
import { UnusableModel } from '../encoder/session.ts';
import { openCv } from '../opencv.ts';
import { decodePhoto, type Photo } from '../photo.ts';
import { cardPixels } from '../pictures/card-pixels.ts';
import { UnusableImage } from '../pictures/decode.ts';
import type { RgbPixels } from '../pictures/dominant-colors.ts';
import { imagePath } from '../pictures/image-store.ts';
import { frameOf, type Quad, scaleQuad } from '../quad.ts';
import type { RecognitionCatalog } from '../recognise/catalog.ts';
import type { Recognition } from '../recognise/conclude.ts';
import { recognise } from '../recognise/recognise.ts';
import { rectify } from '../rectify.ts';
import { boxesIn, type LabelledBox } from '../slab/boxes.ts';
import { cardBelow } from '../slab/card-below.ts';
import { readSlab as readSlabOf, type SlabReading, type UnreadableSlab } from '../slab/read-slab.ts';
import { openSlabTools } from '../slab/tools.ts';
import type { Ask } from './messages.ts';

/** Longest side that photos are processed with: on it a card of a page of forty still has its print. */
const PHOTO_SIDE_PX = 2000;

/** The print of six slabs on one photo is legible on it. */
const SLAB_PHOTO_SIDE_PX = 4000;

/** A card in the size of the encoder's input. */
const EMBEDDED = { width: 256, height: 358 };

/** The functions that the task `recognise` calls in its caller: the vectors and the database are the main thread's. */
export type RecognitionAnswers = Pick<RecognitionCatalog, 'nearest' | 'cards'>;

/**
 * What runs in a worker, by name: one structured-cloneable value in, one out. The workers alone import this file for
 * its values; for everybody else it is the type of `run`.
 */
export const TASKS = {
  /** Bytes of an upload as pixels. Throws UnusableImage. */
  decode: ({ bytes, maxSidePx }: { bytes: Uint8Array; maxSidePx: number }): Promise<Photo> =>
    decodePhoto(bytes, maxSidePx),

  /** Where cards and slabs are in a photo, in pixels of the upright photo, the likeliest first. Throws UnusableImage. */
  async detect({ bytes }: { bytes: Uint8Array }): Promise<{ width: number; height: number; cards: LabelledBox[] }> {
    const photo = await decodePhoto(bytes, PHOTO_SIDE_PX);
    const { cv } = await openCv();
    const scale = photo.fullWidth / photo.width;
    const cards = boxesIn(cv, photo).map(({ quad, card, ...box }) => ({
      ...box,
      quad: scaleQuad(quad, scale),
      card: card && scaleQuad(card, scale),
    }));
    return { width: photo.fullWidth, height: photo.fullHeight, cards };
  },

  /**
   * The card in a photo, or within an outline of it; where that is not sure and there is an encoder, its embedding too. Throws UnusableImage.
   */
  async recognise(input: RecogniseInput, ask: Ask): Promise<Recognition & { embedding: Float32Array | null }> {
    const photo = await decodePhoto(input.bytes, PHOTO_SIDE_PX);
    const { cv } = await openCv();
    // All of the photo too, for one that shows nothing but the card.
    const found =
      input.quad === undefined
        ? [...detectCards(cv, photo, { kind: 'card' }), { quad: frameOf(photo) }]
        : [{ quad: scaleQuad(input.quad, photo.width / photo.fullWidth) }];
    const ocr = async () => (await openSlabTools()).ocr;
    const recognition = await recognise(cv, photo, found, catalogOf(input.dataDir, ask), { ...input, ocr });
    const isSure = recognition.confidence === 'high' || recognition.confidence === 'medium';
    if (input.encoder === null || isSure) return { ...recognition, embedding: null };
    const card = rectify(cv, photo, recognition.quad ?? found[0]!.quad, EMBEDDED.width, EMBEDDED.height);
    // Without what runs it on this machine, the photo is answered by what was recognized.
    const embedding = await embedPicture(input.encoder, card).catch((error: Error) => {
      if (error instanceof UnusableModel) return null;
      throw error;
    });
    return { ...recognition, embedding };
  },

  /** The label of the slab in a photo, and a picture of the card below it. Throws UnusableImage. */
  async readSlab({ bytes }: { bytes: Uint8Array }): Promise<(SlabReading & { below: Buffer }) | UnreadableSlab> {
    const photo = await decodePhoto(bytes, SLAB_PHOTO_SIDE_PX);
    const reading = await readSlabOf(await openSlabTools(), photo);
    return reading.kind === 'unreadable'
      ? reading
      : { ...reading, below: await cardBelow(photo, reading.quad, reading.card) };
  },
};

type RecogniseInput = {
  bytes: Uint8Array;
  /** The outline of the card, in pixels of the upright photo; absent: it is looked for. */
  quad?: Quad | undefined;
  dataDir: string;
  game: Game | null;
  matches: number;
  /** File of the encoder that the catalog's pictures are embedded with; null without one. */
  encoder: string | null;
};

/** The catalog as a worker sees it: facts from its caller, pictures from the disk. */
function catalogOf(dataDir: string, ask: Ask): RecognitionCatalog {
  const answers: RecognitionAnswers = {
    nearest: (...args) => ask('nearest', args) as ReturnType<RecognitionCatalog['nearest']>,
    cards: (...args) => ask('cards', args) as ReturnType<RecognitionCatalog['cards']>,
  };
  return { ...answers, picture: (hash) => readPicture(imagePath(dataDir, hash, 'thumb')) };
}

async function readPicture(path: string): Promise<RgbPixels | null> {
  try {
    return await cardPixels(await readFile(path));
  } catch (error) {
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isGone || error instanceof UnusableImage) return null;
    throw error;
  }
}

type Tasks = typeof TASKS;
export type TaskName = keyof Tasks;
export type TaskInput<Name extends TaskName> = Parameters<Tasks[Name]>[0];
export type TaskOutput<Name extends TaskName> = Awaited<ReturnType<Tasks[Name]>>;
