import { GAME_LABELS, isGame } from '../../catalog/games.ts';
import type { Freshness } from '../../sales/freshness.ts';
import { ago, count } from '../format.ts';
import { daysWithoutSale } from '../freshness-line.tsx';
import { Section } from '../layout.tsx';
import { WholeDays } from '../line-breaks.tsx';
import type { Page } from '../page.ts';
import { Day } from '../price.tsx';
import { Table, type TableColumn } from '../table.tsx';
import { readStatus, type ServiceState } from './read-status.ts';
import { countedWords, jobsOf, verdictOf } from './status-words.ts';

/** `/status`: how fresh the sales, prices and services of this site are. */
export const statusPage: Page = {
  path: '/status',
  maxAgeSeconds: 60,
  async answer(context) {
    const status = await readStatus(context);
    const { words, isOld } = verdictOf(status);
    const { nowMs, games, sources, services } = status;
    const counted = countedWords(status);
    return {
      title: 'Status',
      description: `How fresh the sales and prices of this site are. ${words}`,
      path: '/status',
      hasBreadcrumbs: true,
      trail: [{ name: 'Status', href: '/status' }],
      alternates: [{ type: 'text/markdown', href: '/status.md' }],
      main: (
        <div class="wrap">
          <div class="page-head">
            <h1>Status</h1>
            <p class={isOld ? 'notice notice-old' : 'notice'}>
              <WholeDays>{words}</WholeDays>
            </p>
          </div>
          <Section id="games" title="Sales by game">
            <Fresh
              rows={games.map((game) => ({ ...game, name: isGame(game.name) ? GAME_LABELS[game.name] : game.name }))}
              head="Game"
              nowMs={nowMs}
            />
          </Section>
          <Section id="sources" title="Sales by place">
            <Fresh rows={sources} head="Place" nowMs={nowMs} />
          </Section>
          <Section id="jobs" title="Jobs">
            <Table
              label="When each job last ran"
              classes="list-table narrow-table"
              columns={[
                { head: 'Job', isName: true, cell: ({ job }) => job },
                {
                  head: 'Last',
                  cell: ({ when }) =>
                    when === null ? <span class="muted">Never</span> : <WholeDays>{when}</WholeDays>,
                },
              ]}
              rows={jobsOf(status)}
            />
          </Section>
          {services.length > 0 && (
            <Section id="services" title="Connected services">
              <Table label="Connected services" columns={SERVICE_COLUMNS} rows={services} />
            </Section>
          )}
          <p class="muted small">
            <WholeDays>{`Sales by game and by place are those of ${counted}, counted every ten minutes at most.`}</WholeDays>
          </p>
          <p class="muted small">
            The same as data: <a href="/v1/status">/v1/status</a>
          </p>
        </div>
      ),
    };
  },
};

function Fresh({ rows, head, nowMs }: { rows: readonly Freshness[]; head: string; nowMs: number }) {
  if (rows.length === 0) return <p class="empty">No sale is recorded yet.</p>;
  const columns: TableColumn<Freshness>[] = [
    { head, isName: true, cell: ({ name }) => name },
    {
      head: 'Newest sale',
      cell({ newestSaleAt }) {
        const iso = newestSaleAt.toISOString();
        const isOld = daysWithoutSale({ newestSaleAt, nowMs })! > 3;
        return (
          <span class={isOld ? 'stale' : undefined}>
            <Day iso={iso} /> <span class="row-note">{ago(iso, nowMs)}</span>
          </span>
        );
      },
    },
    { head: 'Sales, 30\u00a0days', classes: 'num', cell: ({ sales30 }) => count(sales30) },
    {
      head: 'Last received',
      classes: 'wide-only',
      cell: ({ lastReceivedAt }) => <Day iso={lastReceivedAt.toISOString()} />,
    },
  ];
  return <Table label={`Sales by ${head.toLowerCase()}`} columns={columns} rows={rows} />;
}

const SERVICE_COLUMNS: readonly TableColumn<ServiceState>[] = [
  { head: 'Service', isName: true, cell: ({ name }) => name },
  { head: 'State', cell: ({ words }) => words },
  {
    head: 'Last answer',
    cell: ({ lastSuccessAt }) =>
      lastSuccessAt === null ? <span class="muted">Never</span> : <Day iso={lastSuccessAt.toISOString()} />,
  },
];
