import { publicIndices } from '../../indices/rows.ts';
import { type IndexTile, tilesOf } from '../../indices/tiles.ts';
import { setPictures } from '../../items/sets/set-pictures.ts';
import { setAt } from '../../items/sets/sets.ts';
import { counted } from '../../lib/counted.ts';
import { dayOf } from '../../lib/day.ts';
import { readImage } from '../../vision/pictures/image-store.ts';
import { gameLabel } from '../card/card-words.ts';
import { level, percentMove } from '../format.ts';
import { canonicalSegment, type Page } from '../page.ts';
import { drawn, lines, MUTED, type PlacedPicture, shareDrawing, text } from './share-drawing.ts';
import { shareLine } from './share-line.ts';

const BOLD = 'font-weight="700"';
const GREEN = 'fill="#0a6350" font-weight="600"';

/** `/share/site.png`: the site and its indices, for shared links to pages without a picture of their own. */
export const siteImage: Page = {
  path: '/share/site.png',
  type: 'image/png',
  maxAgeSeconds: 300,
  async answer({ db, config }) {
    const tiles = await tilesOf(db, await publicIndices(db));
    const parts = [
      text(72, 150, 64, 'What a card is worth,', BOLD),
      text(72, 226, 64, 'and how we know', BOLD),
      text(72, 286, 28, 'Reference prices for trading cards and graded slabs, from recorded sales.', MUTED),
      ...tiles.flatMap(indexPart),
    ];
    return { body: await drawn(shareDrawing(config, parts)) };
  },
};

/** One of four indices side by side. */
function indexPart({ label, value, deltas, sparkline }: IndexTile, at: number): string[] {
  const left = 72 + at * 270;
  if (value === null) return [text(left, 370, 26, label, GREEN), text(left, 414, 24, 'Not started yet', MUTED)];
  const line = sparkline.map((point) => ({ day: dayOf(Date.parse(point.t)), value: point.value }));
  return [
    text(left, 370, 26, label, GREEN),
    text(left, 414, 38, level(value), BOLD),
    deltas.d30 === null ? '' : text(left, 450, 22, `${percentMove(deltas.d30)} in 30 days`, MUTED),
    shareLine(line, { left, top: 472, width: 220, height: 70 }),
  ];
}

/** `/share/cert.png`: slab lookup, for shared links. */
export const certImage: Page = {
  path: '/share/cert.png',
  type: 'image/png',
  maxAgeSeconds: 3600,
  async answer({ config }) {
    const parts = [
      text(72, 118, 26, 'Slab lookup', GREEN),
      text(72, 230, 66, 'What is this slab,', BOLD),
      text(72, 306, 66, 'and what is it worth?', BOLD),
      text(72, 376, 28, 'Enter the cert number of a PSA, BGS or CGC label.', MUTED),
      '<rect x="700" y="420" width="428" height="110" rx="14" fill="#fff" stroke="#b9bab2" stroke-width="2"/>',
      '<rect x="700" y="420" width="12" height="110" fill="#0a6350"/>',
      text(740, 488, 40, 'PSA 1234 5678', 'font-weight="600"'),
    ];
    return { body: await drawn(shareDrawing(config, parts)) };
  },
};

const SHOWN_PICTURES = 5;
const PICTURE = { top: 270, width: 190, height: 266 };
const PICTURE_STEP = 214;

/** `/card/{game}/{set}.png`: a set and some of its cards for shared links, 1200 × 630. */
export const setImage: Page = {
  path: '/card/:game/:set.png',
  type: 'image/png',
  maxAgeSeconds: 3600,
  async answer({ db, config }, { params }) {
    const [game, segment] = [canonicalSegment(params.game!), canonicalSegment(params.set!)];
    if (game !== params.game || segment !== params.set) return { movedTo: `/card/${game}/${segment}.png` };
    const set = await setAt(db, game, segment);
    const { cards, pictures } = await setPictures(db, set.id, SHOWN_PICTURES);
    const read = await Promise.all(pictures.map((address) => readImage(config.dataDir, address)));
    const kept = read.filter((one) => one !== null);
    const placed = kept.map((picture, at): PlacedPicture => ({ picture, left: 72 + at * PICTURE_STEP, ...PICTURE }));
    const facts = [set.setCode, set.language, counted(cards, 'card')].filter(Boolean).join(' · ');
    const name = lines(set.setName, 32, kept.length > 0 ? 1 : 3);
    const parts = [
      text(72, 112, 28, gameLabel(set.game), GREEN),
      ...name.map((line, at) => text(72, 180 + at * 70, 60, line, BOLD)),
      text(72, 160 + name.length * 70, 28, facts, MUTED),
    ];
    return { body: await drawn(shareDrawing(config, parts), placed) };
  },
};
