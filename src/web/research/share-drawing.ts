import type { WebContext } from '../context.ts';
import { openTurns } from '../turns.ts';

/** What the pictures of shared links have in common: 1200 × 630, drawn as SVG text. */

export type ServiceName = Pick<WebContext['config'], 'serviceName' | 'isDemo'>;

/** Each takes a core for a tenth of a second. */
export const drawInTurn = openTurns({
  atOnce: 2,
  mayWait: 16,
  message: 'Too many pictures are being drawn; try again shortly.',
  retryAfterSeconds: 5,
});

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
  const found: string[] = [''];
  let used = 0;
  for (const word of content.split(/\s+/)) {
    const room = [...word].reduce((sum, sign) => sum + (sign >= '\u2e80' ? 2 : 1), 0);
    if (used > 0 && used + 1 + room > units) {
      found.push('');
      used = 0;
    }
    found[found.length - 1] += used > 0 ? ` ${word}` : word;
    used += room + 1;
  }
  const shown = found.slice(0, most).map((line) => cut(line, units));
  if (found.length > most) shown[most - 1] = `${cut(shown[most - 1]!, units - 1).replace(/…$/, '')}…`;
  return shown;
}

function cut(line: string, units: number): string {
  let used = 0;
  let kept = '';
  for (const sign of line) {
    used += sign >= '\u2e80' ? 2 : 1;
    if (used > units) return `${kept}…`;
    kept += sign;
  }
  return kept;
}

/** Without characters that XML does not allow or that turn the direction of the text after them. */
function escaped(content: string): string {
  return content
    .replace(/\p{Surrogate}/gu, ' ')
    .replace(/[\x00-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g, ' ')
    .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
