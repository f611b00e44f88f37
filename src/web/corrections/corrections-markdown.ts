import type { PublishedCorrection } from '../../items/corrections/correction-shape.ts';
import { correctionsPage } from '../../items/corrections/corrections-page.ts';
import { gradeName } from '../card/card-facts.ts';
import { briefDay, usdToTheCent } from '../format.ts';
import { escaped } from '../markdown-text.ts';
import type { Page } from '../page.ts';
import { causeOf, noteOf, restatedOf, subjectOf } from './correction-words.ts';
import { CORRECTIONS_A_PAGE, DESCRIPTION } from './corrections.tsx';

/** `/corrections.md`: the newest corrections as Markdown. */
export const correctionsMarkdown: Page = {
  path: '/corrections.md',
  type: 'text/markdown',
  maxAgeSeconds: 60,
  async answer(context) {
    const { corrections, hasMore } = await correctionsPage(context, { item: null, limit: CORRECTIONS_A_PAGE });
    const pageUrl = `${context.config.baseUrl}/corrections`;
    const body = [
      '# Corrections',
      '',
      DESCRIPTION + (hasMore ? ` The newest ${corrections.length}.` : ''),
      '',
      ...(corrections.length === 0 ? ['Nothing has been corrected yet.', ''] : correctionsTable(corrections, true)),
      `[Page](${pageUrl}) · [Data](${context.config.baseUrl}/v1/corrections)`,
      '',
    ].join('\n');
    return { body, canonical: pageUrl };
  },
};

/** The part of a card's Markdown; nothing for a card without any. */
export function cardCorrections(corrections: readonly PublishedCorrection[]): string[] {
  return corrections.length === 0 ? [] : ['## Corrections', '', ...correctionsTable(corrections, false)];
}

function correctionsTable(corrections: readonly PublishedCorrection[], showsCard: boolean): string[] {
  const rows = corrections.map((one) => {
    const subject = showsCard ? `[${escaped(subjectOf(one))}](${one.href})` : gradeName(one.gradeLabel ?? '–');
    const what = one.note === null ? causeOf(one) : `${causeOf(one)}: ${escaped(noteOf(one)!)}`;
    const [before, after] = [one.priceBeforeUsdCents, one.priceAfterUsdCents].map(amountOf);
    return `| ${briefDay(one.at)} | ${subject} | ${what} | ${before} | ${after} | ${restatedOf(one) ?? '–'} |`;
  });
  const head = showsCard ? 'Card' : 'Grade';
  return [
    `| Known | ${head} | What | Price before | At the next close | Days that would differ today |`,
    '|---|---|---|--:|--:|---|',
    ...rows,
    '',
  ];
}

function amountOf(cents: number | null): string {
  return cents === null ? '–' : usdToTheCent(cents);
}
