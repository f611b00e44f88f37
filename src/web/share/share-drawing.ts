import sharp from 'sharp';
import type { WebContext } from '../context.ts';
import { openTurns } from '../turns.ts';

/** The common parts of pictures for shared links: 1200 × 630, drawn as SVG text. */

export type ServiceName = Pick<WebContext['config'], 'serviceName' | 'isDemo'>;

/** Limits concurrent drawings: each occupies a core for a tenth of a second. */
export const MUTED = 'fill="#505b5d"';

export const drawInTurn = openTurns({
  atOnce: 2,
  mayWait: 16,
  message: 'Too many pictures are being drawn; try again shortly.',
  retryAfterSeconds: 5,
});

/** A picture of a card in a drawing, as bytes of any type. */
export type PlacedPicture = { picture: Buffer; left: number; top: number; width: number; height: number };

/** A drawing as PNG, with pictures in their places. */
export function drawn(svg: string, placed: readonly PlacedPicture[] = []): Promise<Buffer> {
  return drawInTurn(async () => {
    const pictures = await Promise.all(
      placed.map(async ({ picture, left, top, width, height }) => ({
        input: await sharp(picture).resize({ width, height, fit: 'contain', background: '#fbfaf7' }).toBuffer(),
        left,
        top,
      })),
    );
    return await sharp(Buffer.from(svg), { density: 72 }).composite(pictures).png().toBuffer();
  });
}

/** Parts of a drawing on its ground, signed with the service. */
export function shareDrawing({ serviceName, isDemo }: ServiceName, parts: readonly string[]): string {
  const signature = isDemo ? `${serviceName.split(' (')[0]}: simulated sales` : serviceName;
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" font-family="sans-serif" fill="#14191a">',
    '<rect width="1200" height="630" fill="#fbfaf7"/><rect width="1200" height="12" fill="#0a6350"/>',
    ...parts,
    text(1128, 606, 22, signature, 'text-anchor="end"'),
    '</svg>',
  ].join('');
}

export function text(x: number, y: number, size: number, content: string, more: string): string {
  return `<text x="${x}" y="${y}" font-size="${size}" ${more}>${escaped(content)}</text>`;
}

/** Breaks text into at most `most` lines of `units`: an ideograph takes two. What does not fit ends in an ellipsis. */
export function lines(content: string, units: number, most: number): string[] {
  const found: string[] = [];
  for (const word of content.split(/\s+/)) {
    const longer = `${found.at(-1)} ${word}`;
    if (found.length > 0 && unitsOf(longer) <= units) found[found.length - 1] = longer;
    else found.push(word);
  }
  const isWhole = found.length <= most;
  return found.slice(0, most).map((line, at) => cut(isWhole || at < most - 1 ? line : `${line}…`, units));
}

function cut(line: string, units: number): string {
  let used = 0;
  let kept = '';
  for (const sign of line) {
    used += unitsOf(sign);
    if (used > units) return `${kept}…`;
    kept += sign;
  }
  return line;
}

function unitsOf(text: string): number {
  let units = 0;
  for (const sign of text) units += sign >= '\u2e80' ? 2 : 1;
  return units;
}

/** Without characters that XML does not allow or that turn the direction of the text after them. */
function escaped(content: string): string {
  return content
    .replace(/\p{Surrogate}/gu, ' ')
    .replace(/[\x00-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g, ' ')
    .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
