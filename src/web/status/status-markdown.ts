import { GAME_LABELS, isGame } from '../../catalog/games.ts';
import type { Freshness } from '../../sales/freshness.ts';
import { briefDay, count } from '../format.ts';
import { escaped } from '../markdown-text.ts';
import type { Page } from '../page.ts';
import { readStatus } from './read-status.ts';
import { countedWords, jobsOf, verdictOf } from './status-words.ts';

/** `/status.md` */
export const statusMarkdown: Page = {
  path: '/status.md',
  type: 'text/markdown',
  maxAgeSeconds: 60,
  async answer(context) {
    const status = await readStatus(context);
    const games = status.games.map((one) => ({ ...one, name: isGame(one.name) ? GAME_LABELS[one.name] : one.name }));
    const pageUrl = `${context.config.baseUrl}/status`;
    const body = [
      '# Status',
      '',
      verdictOf(status).words,
      '',
      ...tableOf('Game', games),
      ...tableOf('Place', status.sources),
      `Sales by game and by place are those of ${countedWords(status)}, counted every ten minutes at most.`,
      '',
      ...jobsOf(status).map(({ job, when }) => `- ${job}: ${when ?? 'never'}`),
      '',
      `[Page](${pageUrl}) · [Data](${context.config.baseUrl}/v1/status)`,
      '',
    ].join('\n');
    return { body, canonical: pageUrl };
  },
};

function tableOf(head: string, rows: readonly Freshness[]): string[] {
  const lines = rows.map(
    ({ name, newestSaleAt, sales30 }) =>
      `| ${escaped(name)} | ${briefDay(newestSaleAt.toISOString())} | ${count(sales30)} |`,
  );
  return lines.length === 0 ? [] : [`| ${head} | Newest sale | Sales in 30 days |`, '|---|---|--:|', ...lines, ''];
}
