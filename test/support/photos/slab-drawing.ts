import { fileURLToPath } from 'node:url';
import bwipjs from 'bwip-js/node';
import type { Random } from './photo-random.ts';
import type { LabelPrint } from './slab-label.ts';

/** A label drawn as SVG, in tenths of a millimetre, with the places of its cert and its grade. */
export type DrawnLabel = { svg: string; width: number; height: number; cert: Spot | null; grade: Spot };
type Spot = { x: number; y: number };

const FONTS = ['Arimo', 'Roboto Condensed'] as const;
// Known to fontconfig from its start: fonts added later are missing where other text was drawn before. vitest.config.ts sets it
// for all tests, this line for benches.
process.env.FONTCONFIG_FILE ??= fileURLToPath(new URL('fonts.conf', import.meta.url));

/** Draws a label as its company lays it out; the colors and fonts vary. */
export function drawLabel(print: LabelPrint, random: Random): DrawnLabel {
  if (print.company === 'PSA') return drawPsa(print, random);
  if (print.company === 'BGS') return drawBgs(print, random);
  return print.layout === 'blue header' ? drawBlueCgc(print, random) : drawCgc(print, random);
}

function drawPsa({ card, gradeWords, gradeNumber, cert, barcode }: LabelPrint, random: Random): DrawnLabel {
  const [width, height] = [690, 206];
  const font = random.chance(0.75) ? FONTS[0] : FONTS[1];
  const size = random.between(31, 36);
  const paper = random.pick(['#fdfdfb', '#f4f1ea', '#eef2f6']);
  const red = random.pick(['#c8102e', '#b5122b', '#d7263d']);
  const lines = [
    `${card.year} ${card.game} ${card.set}`.toUpperCase(),
    card.name.toUpperCase(),
    card.variety.toUpperCase(),
  ];
  const row = (n: number) => 52 + n * 40;
  const left = lines.map((line, n) => text(26, row(n), line, { font, size, most: 470 })).join('');
  const right = [card.number && `#${card.number.split('/')[0]}`, gradeWords, gradeNumber, cert!]
    .map((line, n) => text(width - 24, row(n), line, { font, size, end: true }))
    .join('');
  const code =
    barcode === null
      ? ''
      : bars(
          barcode,
          barcode.kind === 'QRCode'
            ? { x: 26, y: 138, width: 56, height: 56 }
            : { x: 26, y: 148, width: random.between(200, 250), height: 38 },
        );
  const logo = `<rect x="310" y="152" width="90" height="40" fill="#8d9bb0"/>${text(355, 183, 'PSA', { font: FONTS[0], size: 30, bold: true, middle: true, fill: '#46557a' })}`;
  const svg = `<rect width="${width}" height="${height}" fill="${red}"/><rect x="12" y="12" width="${width - 24}" height="${height - 24}" fill="${paper}"/>${left}${right}${code}${logo}`;
  return { svg, width, height, cert: { x: width - 110, y: row(3) - 12 }, grade: { x: width - 50, y: row(2) - 12 } };
}

function drawCgc({ card, gradeWords, gradeNumber, cert, barcode, layout }: LabelPrint, random: Random): DrawnLabel {
  const [width, height] = [680, 280];
  const font = random.chance(0.7) ? FONTS[0] : FONTS[1];
  const isDarkBox = layout === 'dark box';
  const paper = isDarkBox ? random.pick(['#c9b78a', '#d3c49c']) : random.pick(['#d6d8da', '#e8e8e6', '#c9ccd0']);
  const game = card.game === 'Pokemon' ? 'Pokémon' : card.game;
  const number = card.number === '' ? '' : ` - ${card.number}`;
  const lines = [card.name, `${game} (${card.year})`, `${card.set}${number}`, card.variety];
  const body = lines
    .map((line, n) => text(24, 104 + n * 32, line, { font, size: 27, bold: random.chance(0.8), most: 440 }))
    .join('');
  const fill = isDarkBox ? random.pick(['#e8d9a0', '#f2f2f2']) : '#26282b';
  const middle = 590;
  const box = isDarkBox
    ? `<rect x="500" y="68" width="172" height="200" rx="34" fill="#141414" stroke="#c9b26a" stroke-width="5"/>`
    : `<line x1="508" y1="90" x2="508" y2="190" stroke="#333" stroke-width="2"/>`;
  const grade =
    text(middle, 112, gradeWords, {
      font: FONTS[0],
      size: gradeWords.length > 8 ? 23 : 26,
      bold: true,
      middle: true,
      fill,
      most: 150,
    }) +
    text(middle, 212, gradeNumber, { font: random.pick(FONTS), size: 108, bold: true, middle: true, fill, most: 150 });
  const header =
    text(20, 52, 'CGC', { font: FONTS[0], size: 34, fill: '#eee' }) +
    text(width - 16, 48, 'CERTIFIED GUARANTY COMPANY', {
      font: FONTS[0],
      size: 21,
      bold: true,
      end: true,
      fill: '#f4f4f4',
    });
  const code = bars(barcode!, { x: 24, y: 226, width: 230, height: 30 });
  const digits = text(300, 252, cert!, { font: FONTS[1], size: 27, bold: true });
  const svg = `<rect width="${width}" height="${height}" fill="${random.pick(['#1b1c1e', '#16181c', '#23262a'])}"/><rect x="6" y="66" width="${width - 12}" height="${height - 74}" fill="${paper}"/>${header}${body}${box}${grade}${code}${digits}`;
  return { svg, width, height, cert: { x: 370, y: 242 }, grade: { x: middle, y: 170 } };
}

function drawBlueCgc({ card, gradeWords, gradeNumber }: LabelPrint, random: Random): DrawnLabel {
  const [width, height] = [680, 280];
  const game = card.game === 'Pokemon' ? 'Pokémon' : card.game;
  const lines = [card.name, `${game} (${card.year})`, `${card.set}${card.number && ` - ${card.number}`}`, card.variety];
  const body = lines
    .map((line, n) =>
      text(400, 100 + n * 32, line, { font: FONTS[0], size: 27, middle: true, most: 420, fill: '#1d2a44' }),
    )
    .join('');
  const gradeBox = `<rect x="24" y="74" width="140" height="140" rx="8" fill="#f3f6fa"/>`;
  const grade =
    text(94, 104, gradeWords, { font: FONTS[0], size: 23, bold: true, middle: true, most: 126 }) +
    text(94, 192, gradeNumber, {
      font: random.pick(FONTS),
      size: 90,
      bold: true,
      middle: true,
      most: 126,
      fill: '#222',
    });
  const header = text(width / 2, 48, 'CGC UNIVERSAL GRADE', {
    font: FONTS[0],
    size: 34,
    bold: true,
    middle: true,
    fill: '#fff',
  });
  const blue = random.pick(['#4f86c6', '#6b9bd0', '#3f78b8']);
  const svg = `<rect width="${width}" height="${height}" fill="${random.pick(['#bcd3ec', '#d6e4f3', '#a9c6e6'])}"/><rect width="${width}" height="64" fill="${blue}"/>${header}${gradeBox}${grade}${body}`;
  return { svg, width, height, cert: null, grade: { x: 94, y: 160 } };
}

function drawBgs({ card, gradeWords, gradeNumber, cert, barcode, layout }: LabelPrint, random: Random): DrawnLabel {
  const [width, height] = [690, 206];
  const isBlack = layout === 'black';
  const [paper, ink] = isBlack ? ['#101010', '#d9c27a'] : [random.pick(['#fbfaf7', '#f3efe2', '#ece4cb']), '#161616'];
  const watermark = Array.from({ length: 40 }, (_, n) => {
    const [x, y] = [140 + (n % 8) * 80, -20 + Math.floor(n / 8) * 56];
    return `<text transform="translate(${x} ${y}) rotate(-42)" font-family="Arimo" font-size="17" fill="${isBlack ? '#2a2a2a' : '#ddd8cc'}">BECKETT.</text>`;
  }).join('');
  const font = random.pick(FONTS);
  const top = [
    `${card.year} ${card.game} ${card.set} ${card.number && `#${card.number.split('/')[0]}`}`,
    `${card.name} ${card.variety}`,
  ]
    .map((line, n) =>
      text(170, 42 + n * 32, line.trim().toUpperCase(), { font: FONTS[0], size: 26, fill: ink, most: 340 }),
    )
    .join('');
  const sub = () => random.pick(['8', '8.5', '9', '9.5', '10']);
  const subgrades =
    layout === 'white'
      ? ''
      : [
          ['CENTERING', 160, 140],
          ['CORNERS', 342, 140],
          ['EDGES', 160, 172],
          ['SURFACE', 342, 172],
        ]
          .map(([word, x, y]) => {
            const value = isBlack ? '10' : sub();
            return (
              text(Number(x), Number(y), String(word), { font: FONTS[1], size: 26, bold: true, fill: ink }) +
              text(Number(x) + 128, Number(y), value, { font: FONTS[1], size: 25, bold: true, fill: ink })
            );
          })
          .join('');
  const middle = 600;
  const words = gradeWords === 'PRISTINE BLACK LABEL' ? 'PRISTINE' : gradeWords;
  const grade =
    text(middle, 96, gradeNumber, { font, size: 92, bold: true, middle: true, fill: ink }) +
    text(middle, 136, words, { font: FONTS[1], size: 25, bold: true, middle: true, fill: ink, most: 168 });
  const digits = text(middle, 172, cert!, { font: FONTS[1], size: 29, bold: true, middle: true, fill: ink });
  const code =
    barcode === null
      ? ''
      : `<rect x="468" y="34" width="50" height="50" fill="#fff"/>${bars(barcode, { x: 472, y: 38, width: 42, height: 42 })}`;
  const logo =
    text(66, 110, 'B', { font: FONTS[0], size: 96, bold: true, middle: true, fill: '#e8e8ea' }) +
    text(66, 160, 'BECKETT', { font: FONTS[0], size: 27, bold: true, middle: true, fill: '#e8e8ea' });
  const svg = `<rect width="${width}" height="${height}" fill="#8a8580"/><rect x="140" y="4" width="${width - 144}" height="${height - 8}" fill="${paper}"/><svg x="140" y="4" width="${width - 144}" height="${height - 8}" overflow="hidden">${watermark}</svg>${logo}${top}${subgrades}${grade}${digits}${code}`;
  return { svg, width, height, cert: { x: middle, y: 162 }, grade: { x: middle, y: 64 } };
}

type TextStyle = {
  font: string;
  size: number;
  bold?: boolean;
  end?: boolean;
  middle?: boolean;
  fill?: string;
  /** Squeezed to be no wider. */
  most?: number;
};

function text(x: number, y: number, words: string, style: TextStyle): string {
  if (words === '') return '';
  const { font, size, bold = false, end = false, middle = false, fill = '#151515', most = 1000 } = style;
  const anchor = end ? 'end' : middle ? 'middle' : 'start';
  const estimated = words.length * size * (font === 'Arimo' ? 0.62 : 0.52) * (bold ? 1.06 : 1);
  const fitted = estimated > most ? (size * most) / estimated : size;
  const escaped = words.replace(/&/g, '&amp;');
  return `<text x="${x}" y="${y}" font-family="${font}" font-size="${fitted.toFixed(1)}" font-weight="${bold ? 700 : 400}" text-anchor="${anchor}" fill="${fill}">${escaped}</text>`;
}

function bars(
  { kind, text: content }: NonNullable<LabelPrint['barcode']>,
  box: { x: number; y: number; width: number; height: number },
): string {
  const bcid = { ITF: 'interleaved2of5', Code128: 'code128', QRCode: 'qrcode', DataMatrix: 'datamatrix' }[kind];
  const isMatrix = kind === 'QRCode' || kind === 'DataMatrix';
  const drawn = bwipjs.toSVG({ bcid, text: content, ...(isMatrix ? {} : { height: 10 }) });
  const [, w, h] = /viewBox="0 0 (\d+) (\d+)"/.exec(drawn)!;
  const inner = drawn.replace(/^<svg[^>]*>|<\/svg>\s*$/g, '');
  return `<svg x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" viewBox="0 0 ${w} ${h}" preserveAspectRatio="none">${inner}</svg>`;
}
