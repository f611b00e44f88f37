import sharp from 'sharp';
import { detail } from '../../items/detail.ts';
import type { Located } from '../../items/locate.ts';
import { assertInCatalog } from '../../items/withdrawn.ts';
import { readImage } from '../../vision/pictures/image-store.ts';
import { locateCard } from '../card/card.tsx';
import { gameLabel } from '../card/card-words.ts';
import type { WebContext } from '../context.ts';
import { briefDay, usd } from '../format.ts';
import type { Page } from '../page.ts';
import { factsOf } from '../tile.tsx';
import { drawInTurn, lines, type ServiceName, shareDrawing, text } from './share-drawing.ts';

/** `/card/{game}/{set}/{card}.png`: a picture of the card and its price for shared links, 1200 × 630. */
export const cardImage: Page = {
  path: '/card/:game/:set/:card.png',
  type: 'image/png',
  maxAgeSeconds: 300,
  async answer(context, { params }) {
    const found = await locateCard(context, params, '.png');
    if ('movedTo' in found) return found;
    await assertInCatalog(context.db, found.item);
    const { body: card } = await detail.view(context, found, {});
    const body = await drawInTurn(() => draw(context, found, card));
    return { body };
  },
};

type Card = Awaited<ReturnType<typeof detail.view>>['body'];

const PICTURE = { left: 72, top: 84, width: 331, height: 462 };
const TEXT_LEFT = 460;

async function draw(context: WebContext, { item }: Located, card: Card): Promise<Buffer> {
  const kept = item.image_url === null ? null : await readImage(context.config.dataDir, item.image_url);
  const { left, top, width, height } = PICTURE;
  const svg = Buffer.from(shareSvg(context.config, card, kept !== null));
  const image = sharp(svg, { density: 72 });
  if (kept === null) return await image.png().toBuffer();
  const picture = await sharp(kept).resize({ width, height, fit: 'contain', background: '#fbfaf7' }).toBuffer();
  return await image
    .composite([{ input: picture, left, top }])
    .png()
    .toBuffer();
}

/** The drawing as SVG text, with room for the card's picture or a blank card in its place. */
function shareSvg(site: ServiceName, card: Card, hasPicture: boolean): string {
  const { priceUsdCents, priceRangeUsdCents: range, updatedAt, lastSaleAt } = card;
  const name = lines(card.name, 24, 2);
  const below = 150 + name.length * 64;
  const texts = [
    text(TEXT_LEFT, 118, 26, gameLabel(card.game), 'fill="#0a6350" font-weight="600"'),
    ...name.map((line, at) => text(TEXT_LEFT, 186 + at * 64, 58, line, 'font-weight="700"')),
    text(TEXT_LEFT, below + 34, 28, lines(factsOf(card), 46, 1)[0] ?? '', 'fill="#505b5d"'),
    text(TEXT_LEFT, 400, 28, card.gradeLabel ?? 'All grades', 'fill="#0a6350" font-weight="600"'),
    ...(priceUsdCents === null
      ? [
          text(TEXT_LEFT, 460, 48, 'No reference price', 'font-weight="700"'),
          text(
            TEXT_LEFT,
            510,
            26,
            lastSaleAt === null ? 'No sale recorded' : `Last sold ${briefDay(lastSaleAt)}`,
            'fill="#505b5d"',
          ),
        ]
      : [
          text(TEXT_LEFT, 492, 96, usd(priceUsdCents), 'font-weight="700"'),
          text(
            TEXT_LEFT,
            546,
            26,
            [
              range === null ? '' : `80% range ${usd(range.low)} to ${usd(range.high)}`,
              updatedAt === null ? '' : briefDay(updatedAt),
            ]
              .filter(Boolean)
              .join(' · '),
            'fill="#505b5d"',
          ),
        ]),
  ];
  return shareDrawing(site, [hasPicture ? '' : blankCard(card.printedNumber), ...texts]);
}

function blankCard(number: string | null): string {
  const { left, top, width, height } = PICTURE;
  return [
    `<rect x="${left}" y="${top}" width="${width}" height="${height}" rx="16" fill="#fff" stroke="#b9bab2" stroke-width="2"/>`,
    `<rect x="${left + 24}" y="${top + 24}" width="${width - 48}" height="226" rx="6" fill="#f2f1ec" stroke="#b9bab2" stroke-width="2"/>`,
    `<path d="M${left + 110} ${top + 250}a55.5 55.5 0 0 1 111 0z" fill="#0a6350"/>`,
    ...[290, 320, 350].map(
      (y) => `<path d="M${left + 24} ${top + y}h${width - 48}" stroke="#dfded7" stroke-width="2"/>`,
    ),
    text(left + width - 24, top + height - 28, 26, (number ?? '').slice(0, 9), 'text-anchor="end" fill="#505b5d"'),
  ].join('');
}
