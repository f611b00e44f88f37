import { readSuspects } from '../../audit/audit-page.ts';
import { briefDay } from '../format.ts';
import { escaped } from '../markdown-text.ts';
import type { Page } from '../page.ts';
import { AUDIT_DESCRIPTION, SUSPECTS_A_PAGE } from './audit.tsx';
import { kindWords, stateWords, subjectsOf } from './suspect-words.ts';

/** `/audit.md`: the newest suspects as Markdown. */
export const auditMarkdown: Page = {
  path: '/audit.md',
  type: 'text/markdown',
  maxAgeSeconds: 60,
  async answer(context) {
    const { suspects, items, hasMore } = await readSuspects(context.db, { before: null, limit: SUSPECTS_A_PAGE });
    const pageUrl = `${context.config.baseUrl}/audit`;
    const rows = suspects.map((one) => {
      const { shown, more } = subjectsOf(one, items);
      const cards = shown.map(({ href, text }) => `[${escaped(text)}](${href})`).join('; ');
      const evidence = one.evidence.map(({ text }) => escaped(text)).join(' ');
      const all = more > 0 ? `${cards} and ${more} more` : cards;
      return `| ${briefDay(one.foundAt.toISOString())} | ${kindWords(one)} | ${all} | ${evidence} | ${stateWords(one)} |`;
    });
    const table = ['| Found | What | Cards | Evidence | State |', '|---|---|---|---|---|', ...rows, ''];
    const body = [
      '# Audit',
      '',
      AUDIT_DESCRIPTION + (hasMore ? ` The newest ${suspects.length}.` : ''),
      '',
      ...(rows.length === 0 ? ['Nothing is suspect.', ''] : table),
      `[Page](${pageUrl}) · [Data](${context.config.baseUrl}/v1/audit)`,
      '',
    ].join('\n');
    return { body, canonical: pageUrl };
  },
};
