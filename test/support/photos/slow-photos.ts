import sharp from 'sharp';
import { randomOf } from './photo-random.ts';

/** Photos without a card that are full of edges: what processes them has the most to do. */

const SIDE = 2000;

/** Squares of many colors, such as a mosaic or a bathroom wall: 45 pixels on a photo of a phone. */
export function colouredSquares(side = 45, gap = 0): Promise<Buffer> {
  const random = randomOf(7);
  const colour = () => `hsl(${random.whole(0, 359)}, 70%, ${random.whole(30, 70)}%)`;
  const squares: string[] = [];
  for (let y = 0; y < SIDE; y += side)
    for (let x = 0; x < SIDE; x += side)
      squares.push(`<rect x="${x}" y="${y}" width="${side - gap}" height="${side - gap}" fill="${colour()}"/>`);
  return drawn(squares.join(''));
}

/** Lines across and along, as on squared paper or a cutting mat. */
export function gridOfLines(stepPx = 40): Promise<Buffer> {
  const lines: string[] = [];
  for (let at = stepPx; at < SIDE; at += stepPx)
    lines.push(`<path d="M0 ${at}H${SIDE}M${at} 0V${SIDE}" stroke="#222" stroke-width="3"/>`);
  return drawn(lines.join(''));
}

function drawn(content: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}"><rect width="${SIDE}" height="${SIDE}" fill="#eee"/>${content}</svg>`;
  return sharp(Buffer.from(svg)).rotate(1.5, { background: '#eee' }).jpeg().toBuffer();
}
