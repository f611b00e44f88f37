import sharp from 'sharp';
import { type Random, randomOf } from './photo-random.ts';

const SIZE = { width: 300, height: 418 };

/** A card that nobody printed: frame, art of shapes, name, rows of text. The same bytes for the same seed. */
export async function drawnCard(seed: number): Promise<Buffer> {
  const random = randomOf(seed);
  const shapes = Array.from({ length: 26 }, () => shape(random)).join('');
  const rows = Array.from({ length: 9 }, (_, i) => row(random, 262 + 15 * i)).join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 418">
    <rect width="300" height="418" rx="14" fill="${color(random, 45)}"/>
    <rect x="12" y="12" width="276" height="394" rx="6" fill="${color(random, 88)}"/>
    <text x="22" y="34" font-family="sans-serif" font-weight="bold" font-size="19">${word(random)} ${word(random)}</text>
    <svg x="22" y="44" width="256" height="190" viewBox="0 0 256 190">
      <rect width="256" height="190" fill="${color(random, 60)}"/>${shapes}
    </svg>${rows}</svg>`;
  return sharp(Buffer.from(svg), { density: 72 }).resize(SIZE).flatten().png().toBuffer();
}

function shape(random: Random): string {
  const [x, y, size] = [random.between(0, 256), random.between(0, 190), random.between(8, 60)];
  const fill = `fill="${color(random, random.between(15, 90))}"`;
  if (random.chance(0.4)) return `<circle cx="${x}" cy="${y}" r="${size / 2}" ${fill}/>`;
  const turn = `transform="rotate(${random.between(0, 180)} ${x} ${y})"`;
  return `<rect x="${x}" y="${y}" width="${size}" height="${random.between(5, 50)}" ${turn} ${fill}/>`;
}

function row(random: Random, y: number): string {
  const words = Array.from({ length: random.whole(2, 6) }, () => word(random)).join(' ');
  return `<text x="24" y="${y}" font-family="sans-serif" font-size="11">${words}</text>`;
}

function word(random: Random): string {
  return Array.from({ length: random.whole(3, 8) }, () => random.pick([...'abcdefghilmnoprstu'])).join('');
}

function color(random: Random, lightness: number): string {
  return `hsl(${random.whole(0, 359)} ${random.whole(30, 90)}% ${lightness}%)`;
}
