import { detailOf } from '../../indices/detail.ts';
import { indexBySlug } from '../../indices/rows.ts';
import { indexPoints } from '../../indices/series.ts';
import { dayOf } from '../../lib/day.ts';
import { briefDay, level, percentMove } from '../format.ts';
import { canonicalSegment, type Page } from '../page.ts';
import { drawn, MUTED, shareDrawing, text } from './share-drawing.ts';
import { shareLine } from './share-line.ts';

const YEAR_DAYS = 365;
const LINE_BOX = { left: 72, top: 330, width: 1040, height: 210 };

/** `/indices/{game}.png`: the level of an index and a year of it for shared links, 1200 × 630. */
export const indexImage: Page = {
  path: '/indices/:game.png',
  type: 'image/png',
  maxAgeSeconds: 300,
  async answer({ db, config }, { params }) {
    const slug = canonicalSegment(params.game!);
    if (slug !== params.game) return { movedTo: `/indices/${slug}.png` };
    const index = await indexBySlug(db, slug);
    const [{ label, value, deltas, sparkline }, points] = await Promise.all([
      detailOf(db, index),
      indexPoints(db, index, YEAR_DAYS),
    ]);
    const moves = [
      ['7 days', deltas.d7],
      ['30 days', deltas.d30],
      ['1 year', deltas.d365],
    ] as const;
    const known = moves.flatMap(([over, percent]) => (percent === null ? [] : [`${percentMove(percent)} in ${over}`]));
    const line = points.map(({ t, value: of }) => ({ day: dayOf(Date.parse(t)), value: of }));
    const parts =
      value === null
        ? [text(72, 250, 48, 'Not started yet', 'font-weight="700"')]
        : [
            text(72, 230, 110, level(value), 'font-weight="700"'),
            text(72, 288, 26, [...known, `close of ${briefDay(sparkline.at(-1)!.t)}`].join(' · '), MUTED),
            shareLine(line, LINE_BOX),
          ];
    const title = text(72, 112, 40, `${label} index`, 'fill="#0a6350" font-weight="600"');
    return { body: await drawn(shareDrawing(config, [title, ...parts])) };
  },
};
