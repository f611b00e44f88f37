import { GAME_LABELS, GAMES, INDEXED_GAMES } from '../../catalog/games.ts';
import type { Page } from '../../web/page.ts';

/** `/llms.txt`: an overview for language models. */
export const llms: Page = {
  path: '/llms.txt',
  type: 'text/markdown',
  maxAgeSeconds: 3600,
  answer: ({ config: { baseUrl, serviceName, isDemo } }) => ({
    body: [
      `# ${serviceName}`,
      '',
      '> Reference prices of trading cards and graded slabs, modeled from recorded sales: each with its date, an 80 % range,',
      '> a confidence that is checked against later sales, and the sales it was made of, rejected ones with the reason.',
      '',
      ...(isDemo ? ['Every sale on this installation is simulated: no price is of a real market.', ''] : []),
      'A page of a card, a set or an index is also Markdown at the same address with `.md` after it.',
      'Prices are in US dollars; days are UTC. A missing price is null, never 0.',
      '',
      '## Cards',
      '',
      ...GAMES.map((game) => `- [${GAME_LABELS[game]}](${baseUrl}/card/${game}): its sets and cards`),
      '',
      '## Market indices',
      '',
      ...INDEXED_GAMES.map(
        (game) => `- [${GAME_LABELS[game]}](${baseUrl}/indices/${game}.md): level, constituents, downloads`,
      ),
      '',
      '## Method',
      '',
      `- [How prices are modeled](${baseUrl}/methodology.md): formulas, parameters, how it is measured`,
      `- [Rulebook of the indices](${baseUrl}/methodology/index.md): precise enough to reproduce a level`,
      `- [Accuracy](${baseUrl}/accuracy.md): errors of prices against later sales, with simple rules next to them`,
      `- [Research](${baseUrl}/research): articles on the method with measured figures`,
      '',
      '## API',
      '',
      `- [OpenAPI](${baseUrl}/v1/openapi.json): every route, parameter and shape`,
      `- [Reference](${baseUrl}/api): the same for people`,
      '',
      '## Optional',
      '',
      `- [About](${baseUrl}/about)`,
      `- [Sitemap](${baseUrl}/sitemap.xml)`,
      '',
    ].join('\n'),
  }),
};
