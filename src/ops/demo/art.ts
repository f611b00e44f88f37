import { GAME_LABELS, type Game, isGame } from '../../catalog/games.ts';
import type { FileRoute } from '../../http/file-route.ts';
import { notFound } from '../../http/problem.ts';
import { type Mood, moodOf } from './mood.ts';
import { type Chance, chanceOf } from './random.ts';

const HUES: Record<Game, number> = {
  pokemon: 48,
  'one-piece': 8,
  sports: 145,
  lorcana: 275,
  digimon: 25,
  riftbound: 195,
  mtg: 340,
  yugioh: 225,
  gundam: 0,
};

type DrawnCard = { game: Game; name: string };

/**
 * Placeholder art of a demo card, drawn by us: a different figure for every card, 300 × 420, as SVG text. The same
 * game and name give the same picture; its mood and its own hue are drawn by chance first.
 */
export function demoArtSvg(card: DrawnCard): string {
  const { game, name } = card;
  const chance = artChance(card);
  const mood = moodOf(chance);
  const frameHue = HUES[game];
  const hue = frameHue + Math.round(360 * chance.uniform());
  const color = (turn: number, light: number) => hsl(hue + turn, mood.saturation, light);
  const [darkest, lightest] = mood.light;
  const shapes: string[] = [];
  for (let i = 0; i < 9; i++) {
    const x = Math.round(30 + 240 * chance.uniform());
    const y = Math.round(70 + 200 * chance.uniform());
    const size = Math.round(14 + 46 * chance.uniform());
    const fill = color(60 * chance.uniform(), Math.round(darkest + (lightest - darkest) * chance.uniform()));
    const turn = Math.round(360 * chance.uniform());
    const [circles, bars, triangles] = mood.shapes;
    shapes.push(
      chance.pick([
        [`<circle cx="${x}" cy="${y}" r="${size}" fill="${fill}"/>`, circles],
        [
          `<rect x="${x - size}" y="${y - size}" width="${size * 2}" height="${size}" rx="6" fill="${fill}" transform="rotate(${turn} ${x} ${y})"/>`,
          bars,
        ],
        [
          `<path d="M${x} ${y - size}L${x + size} ${y + size}L${x - size} ${y + size}Z" fill="${fill}" transform="rotate(${turn} ${x} ${y})"/>`,
          triangles,
        ],
      ]),
    );
  }
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="420" viewBox="0 0 300 420" role="img">',
    `<title>${escapeXml(name)}: placeholder drawing, not the card</title>`,
    `<clipPath id="window"><rect x="22" y="62" width="256" height="216" rx="8"/></clipPath>`,
    `<rect width="300" height="420" rx="16" fill="${hsl(frameHue, 55, 24)}"/>`,
    `<rect x="10" y="10" width="280" height="400" rx="10" fill="${color(10, 88)}"/>`,
    `<rect x="22" y="62" width="256" height="216" rx="8" fill="${color(180, Math.round((darkest + lightest) / 2))}"/>`,
    `<g clip-path="url(#window)" fill-opacity="0.8">${shapes.join('')}</g>`,
    '<g font-family="sans-serif" fill="#1b1b1f">',
    `<text x="24" y="45" font-size="${name.length > 24 ? 12 : 18}" font-weight="700">${escapeXml(name.slice(0, 40))}</text>`,
    `<text x="24" y="310" font-size="14">${GAME_LABELS[game]}</text>`,
    '<text x="24" y="382" font-size="11">Demo placeholder, drawn by Mintmark.</text>',
    '<text x="24" y="396" font-size="11">Prices are simulated.</text>',
    '</g></svg>',
  ].join('\n');
}

/** The art behind an address of the demo catalog (`/demo/art/pokemon/4-charizard.svg`); null for another address. */
export function demoArtAt(path: string): string | null {
  const card = cardAt(path);
  return card === null ? null : demoArtSvg(card);
}

/** The mood of the art behind an address. */
export function demoMoodAt(path: string): Mood | null {
  const card = cardAt(path);
  return card === null ? null : moodOf(artChance(card));
}

function cardAt(path: string): DrawnCard | null {
  const match = /^\/demo\/art\/([a-z-]{1,20})\/([a-z0-9-]{1,120})\.svg$/.exec(path);
  if (match === null || !isGame(match[1]!)) return null;
  const words = match[2]!.split('-').filter(Boolean);
  if (words.length === 0) return null;
  const name = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join(' ');
  return { game: match[1], name };
}

function artChance({ game, name }: DrawnCard): Chance {
  return chanceOf(`art ${game}  ${name}`);
}

function hsl(hue: number, saturation: number, light: number): string {
  return `hsl(${Math.round(hue) % 360} ${saturation}% ${light}%)`;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

const HEADERS = {
  'content-type': 'image/svg+xml; charset=utf-8',
  'cache-control': 'public, max-age=86400',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'access-control-allow-origin': '*',
};

/** The drawings of the demo's cards, which say that prices are simulated: on an installation of the demo only. */
export const demoArt: FileRoute = {
  path: '/demo/art/*',
  isServed: ({ isDemo }) => isDemo,
  answer(_context, { params }) {
    const body = demoArtAt(`/demo/art/${params['*']}`);
    if (body === null) throw notFound('There is no picture at this address.');
    return { body, headers: HEADERS };
  },
};
