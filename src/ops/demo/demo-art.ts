import { readFileSync } from 'node:fs';
import { GAME_LABELS, type Game } from '../../catalog/games.ts';
import type { FileRoute } from '../../http/file-route.ts';
import { notFound } from '../../http/problem.ts';
import { demoCatalogPath } from './items.ts';
import { type Mood, moodOf } from './mood.ts';
import { type Chance, chanceOf } from './random.ts';

/** Hues of frames in degrees: by game, and of Pokémon by the type of the first one on the card. */
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

const POKEMON_TYPES: readonly [hue: number, names: readonly string[]][] = [
  [12, ['Charizard', 'Charmander', 'Ninetales', 'Flareon', 'Moltres']],
  [210, ['Blastoise', 'Squirtle', 'Gyarados', 'Vaporeon', 'Lapras', 'Articuno']],
  [115, ['Venusaur', 'Bulbasaur', 'Scyther']],
  [46, ['Zapdos', 'Raichu', 'Pikachu', 'Jolteon']],
  [285, ['Alakazam', 'Mewtwo', 'Mew', 'Gengar', 'Nidoking', 'Giratina']],
  [28, ['Hitmonchan', 'Aerodactyl']],
  [330, ['Chansey', 'Clefairy', 'Clefable', 'Ditto']],
  [175, ['Dragonite', 'Rayquaza', 'Lugia']],
  [245, ['Umbreon', 'Snorlax']],
];

function frameHueOf(game: Game, characters: readonly string[]): number {
  const type = POKEMON_TYPES.find(([, names]) => names.includes(characters[0] ?? ''));
  return game === 'pokemon' && type !== undefined ? type[0] : HUES[game];
}

/** `seed` decides the figure. */
type DrawnCard = {
  seed: string;
  game: Game;
  name: string;
  setName: string;
  number: string | null;
  characters: readonly string[];
};

/** Width of the name in pixels, and of one of its characters by the size of the font. */
const NAME = { width: 252, size: 20, character: 0.62 } as const;

/**
 * Placeholder art of a demo card, drawn by us: a different figure for every card, 300 × 420, as SVG text. The same
 * seed gives the same picture; its mood and its own hue are drawn by chance first.
 */
export function demoArtSvg(card: DrawnCard): string {
  const { game, name, setName, number } = card;
  const chance = artChance(card);
  const mood = moodOf(chance);
  const frameHue = frameHueOf(game, card.characters);
  const nameSize = Math.min(NAME.size, NAME.width / (NAME.character * name.length));
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
    `<rect width="300" height="420" rx="16" fill="${hsl(frameHue, 52, 32)}"/>`,
    `<rect x="10" y="10" width="280" height="400" rx="10" fill="${hsl(frameHue, 45, 90)}"/>`,
    `<rect x="22" y="62" width="256" height="216" rx="8" fill="${color(180, Math.round((darkest + lightest) / 2))}"/>`,
    `<g clip-path="url(#window)" fill-opacity="0.8">${shapes.join('')}</g>`,
    '<g font-family="sans-serif" fill="#1b1b1f">',
    `<text x="24" y="45" font-size="${nameSize.toFixed(1)}" font-weight="700">${escapeXml(name)}</text>`,
    `<text x="24" y="310" font-size="15" font-weight="700">${GAME_LABELS[game]}</text>`,
    `<text x="24" y="332" font-size="13">${escapeXml(setName.slice(0, 36))}</text>`,
    `<text x="276" y="310" font-size="15" text-anchor="end">${escapeXml(number ?? '')}</text>`,
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

type CatalogLine = Pick<DrawnCard, 'game' | 'name'> & {
  imageUrl: string;
  number?: string;
  set: { name: string };
  facts?: { characters?: string[] };
};

let cards: ReadonlyMap<string, DrawnCard> | undefined;

/** The card of the demo catalog that an address belongs to; null where there is none. */
function cardAt(path: string): DrawnCard | null {
  cards ??= new Map(
    readFileSync(demoCatalogPath, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const { game, name, imageUrl, number = null, set, facts } = JSON.parse(line) as CatalogLine;
        return [
          imageUrl,
          { seed: imageUrl, game, name, setName: set.name, number, characters: facts?.characters ?? [] },
        ];
      }),
  );
  return cards.get(path) ?? null;
}

function artChance({ seed }: DrawnCard): Chance {
  return chanceOf(`art ${seed}`);
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
