import type { Game } from '../../catalog/games.ts';
import { describeCard } from '../descriptor.ts';
import { cornersOf, IDENTITY, inverseOf, movement, ontoQuad, times } from '../perspective.ts';
import type { Quad } from '../quad.ts';
import { align, type Ground, type Levels, prepareGround, prepareLevels } from './align.ts';
import type { CatalogCard, RecognitionCatalog } from './catalog.ts';
import { SAME_CARD } from './confidence.ts';
import { type Likeness, likenessOf } from './likeness.ts';
import type { CardLook } from './looks.ts';

/** Items queried: printings of one card often share a picture. */
const HITS = 32;
/** Pictures that the looks of a round are compared with at most; once one agrees, at least, for the margin. */
const COMPARED = 16;
const LEAST_COMPARED = 4;
/** Cosines of pictures of one art differ by less, seen from one photo. */
const SIBLING_GAP = 0.12;

const NOTHING = new Float32Array();
const NOT_COMPARED: Likeness = { mean: -1, most: -1, nearlyAll: -1, seen: 0 };

/** A picture of the catalog compared with one view of the photo. */
export type CardCandidate = Likeness & {
  look: CardLook;
  picture: string;
  cosine: number;
  blocks: Float32Array;
  /** Where the picture is in the photo, and by how much its corners are off the look's, in halves of a side. */
  quad: Quad;
  off: number;
};

/** Views of a photo are compared with the catalog; what was read of one is kept for the photo's other views. */
export function openComparison(catalog: RecognitionCatalog, game: Game | null) {
  const known = new Map<string, CatalogCard>();
  const pictures = new Map<string, Levels | null>();

  async function levelsOf(picture: string): Promise<Levels | null> {
    if (!pictures.has(picture)) {
      const pixels = await catalog.picture(picture);
      pictures.set(picture, pixels === null ? null : prepareLevels(pixels));
    }
    return pictures.get(picture)!;
  }

  /** The pictures nearest to a look, each once. */
  async function near(look: CardLook): Promise<{ look: CardLook; picture: string; cosine: number }[]> {
    const hits = await catalog.nearest(describeCard(look.card), HITS, game);
    const unknown = hits.map(({ itemId }) => itemId).filter((id) => !known.has(id));
    if (unknown.length > 0) for (const card of await catalog.cards(unknown)) known.set(card.itemId, card);
    const seen = new Map<string, number>();
    for (const { itemId, score } of hits) {
      const picture = known.get(itemId)?.picture;
      if (picture != null && !seen.has(picture)) seen.set(picture, score);
    }
    return [...seen].map(([picture, cosine]) => ({ look, picture, cosine }));
  }

  return {
    cards: () => [...known.values()],
    /** Compares these looks with the pictures nearest to them; the most alike first, then by cosine. */
    async compare(looks: readonly CardLook[]): Promise<CardCandidate[]> {
      const nearby = (await Promise.all(looks.map(near))).flat().sort((a, b) => b.cosine - a.cosine);
      const grounds = new Map<CardLook, Ground>();
      const candidates: CardCandidate[] = [];
      let compared = 0;
      let agreed = -1;
      for (const { look, picture, cosine } of nearby) {
        const isDue = compared < (agreed < 0 ? COMPARED : LEAST_COMPARED) || cosine > agreed - SIBLING_GAP;
        const levels = compared < COMPARED && isDue ? await levelsOf(picture) : null;
        if (levels === null) {
          candidates.push({ look, picture, cosine, blocks: NOTHING, quad: look.quad, off: 0, ...NOT_COMPARED });
          continue;
        }
        const ground = grounds.get(look) ?? prepareGround(look.card);
        grounds.set(look, ground);
        const { homography, blocks } = align(ground, levels);
        const onCard = inverseOf(homography);
        const quad = cornersOf(times(ontoQuad(look.quad), onCard));
        const likeness = likenessOf(blocks);
        candidates.push({ look, picture, cosine, blocks, quad, off: movement(IDENTITY, onCard), ...likeness });
        compared++;
        if (likeness.most >= SAME_CARD) agreed = Math.max(agreed, cosine);
      }
      return candidates.sort((a, b) => b.mean - a.mean || b.cosine - a.cosine);
    },
  };
}
