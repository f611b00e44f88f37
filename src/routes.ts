/**
 * The first of the two tables of contents: every address that the service answers is in one of the tables below, and
 * mounted from it alone.
 */

import { usage } from './access/usage.ts';
import { audit } from './audit/audit-route.ts';
import { bulkFile } from './bulk/file-download.ts';
import { bulkManifest } from './bulk/manifest-route.ts';
import { certLookups } from './graded/bulk.ts';
import { gradedByImage } from './graded/by-image.ts';
import { certHistory } from './graded/history/cert-history.ts';
import { certLookup } from './graded/lookup.ts';
import { certStream } from './graded/stream.ts';
import type { Endpoint, Mounting } from './http/endpoint.ts';
import type { FileRoute } from './http/file-route.ts';
import { LEGACY_HEADERS } from './http/legacy-headers.ts';
import { rebalance } from './indices/close/rebalance.ts';
import { indexDetail } from './indices/detail.ts';
import { DOWNLOADS } from './indices/downloads.ts';
import { indexSeries } from './indices/series.ts';
import { indices } from './indices/tiles.ts';
import { apply } from './intake/apply.ts';
import { report } from './intake/report.ts';
import { changes } from './items/changes/changes.ts';
import { corrections } from './items/corrections/corrections.ts';
import { detail } from './items/detail.ts';
import { featured } from './items/featured.ts';
import { fmvSeries } from './items/fmv-series.ts';
import { games } from './items/games.ts';
import { addressesOf } from './items/item-addresses.ts';
import { byExternalId } from './items/locate/by-external-id.ts';
import { byId, bySlug, byUpstreamId } from './items/locate/locate.ts';
import { overview } from './items/overview.ts';
import { series } from './items/series.ts';
import { setList } from './items/sets/set-list.ts';
import { set } from './items/sets/sets.ts';
import { similar } from './items/similar.ts';
import { summaries } from './items/summaries.ts';
import { recentTradesEndpoint } from './items/trades/recent-trades.ts';
import { trades } from './items/trades/trades.ts';
import { endpointOf } from './items/view.ts';
import { resolve } from './lists/resolve-titles.ts';
import { valuations } from './lists/valuations.ts';
import { type McpRoute, mcp } from './mcp/mcp-route.ts';
import { demoArt } from './ops/demo/demo-art.ts';
import { demoPhotoFile } from './ops/demo/photos.ts';
import { apiCatalog } from './ops/discovery/api-catalog.ts';
import { llms } from './ops/discovery/llms.ts';
import { robots } from './ops/discovery/robots.ts';
import { sitemap, sitemapIndex } from './ops/discovery/sitemaps.ts';
import { health } from './ops/health.ts';
import { metricsFile } from './ops/metrics/metrics-file.ts';
import { openapiDocuments, openapiEndpoint } from './ops/openapi.ts';
import { openapi32Endpoint } from './ops/openapi-3-2.ts';
import { ready } from './ops/ready.ts';
import { securityTxt } from './ops/security-txt.ts';
import { status } from './ops/status.ts';
import { ACCURACY_ROUTES } from './pricing/accuracy/accuracy-routes.ts';
import { receipt } from './receipts/receipt-route.ts';
import { recordFile } from './receipts/record-file.ts';
import { recordHead } from './receipts/record-head.ts';
import { byEmbedding } from './search/photo/by-embedding.ts';
import { byImage } from './search/photo/by-image.ts';
import { byImageBulk } from './search/photo/by-image-bulk.ts';
import { detectItems } from './search/photo/detect-items.ts';
import { embeddingModel } from './search/photo/embedding-model.ts';
import { search } from './search/search.ts';
import { suggest } from './search/suggest.ts';
import { tags } from './search/tags.ts';
import { imageFile } from './vision/pictures/image-store.ts';
import { accuracyPage } from './web/accuracy/accuracy.tsx';
import { accuracyMarkdown } from './web/accuracy/accuracy-markdown.ts';
import { apiReference } from './web/api/reference.tsx';
import { assetFile } from './web/assets.ts';
import { auditOfAll } from './web/audit/audit.tsx';
import { auditMarkdown } from './web/audit/audit-markdown.ts';
import { card } from './web/card/card.tsx';
import { cardMarkdown } from './web/card/card-markdown.ts';
import { priceFiles } from './web/card/history/price-files.tsx';
import { certPages, certValuation } from './web/cert/cert.tsx';
import { certEvents } from './web/cert/cert-events.ts';
import { changelog } from './web/changelog/changelog.tsx';
import type { WebContext } from './web/context.ts';
import { correctionsOfAll } from './web/corrections/corrections.tsx';
import { correctionsMarkdown } from './web/corrections/corrections-markdown.ts';
import { cardFeed } from './web/feeds/card-feed.ts';
import { correctionsFeed, moversFeed, researchFeed } from './web/feeds/feeds.ts';
import { indexFeed } from './web/feeds/index-feed.ts';
import { setFeed } from './web/feeds/set-feed.ts';
import type { PageForm } from './web/forms/form.ts';
import { partners } from './web/forms/partners.tsx';
import { problemPages } from './web/forms/problems.tsx';
import { report as reportPages } from './web/forms/report-form.tsx';
import { indexFiles } from './web/index/index-files.tsx';
import { indexMarkdown } from './web/index/index-markdown.ts';
import { indexPage } from './web/index/index-page.tsx';
import { indicesPage } from './web/index/indices.tsx';
import { moversPage } from './web/movers/movers.tsx';
import { moversMarkdown } from './web/movers/movers-markdown.ts';
import type { Page } from './web/page.ts';
import { quote, quoteCsv } from './web/quote/quote-files.ts';
import { research, researchArticle, researchTwin } from './web/research/research.tsx';
import { salesPage } from './web/sales/sales.tsx';
import { salesMarkdown } from './web/sales/sales-markdown.ts';
import { scan, scanForm } from './web/scan/scan.tsx';
import { scanEvents } from './web/scan/scan-events.ts';
import { searchPage } from './web/search/search.tsx';
import { searchSuggest } from './web/search/search-suggest.ts';
import { setPage } from './web/set/set.tsx';
import { setMarkdown } from './web/set/set-markdown.ts';
import { cardImage } from './web/share/card-image.ts';
import { indexImage } from './web/share/index-image.ts';
import { researchImage } from './web/share/research-image.ts';
import { certImage, setImage, siteImage } from './web/share/site-images.ts';
import { about } from './web/site/about.tsx';
import { gamePage } from './web/site/game.tsx';
import { gamesPage } from './web/site/games.tsx';
import { home } from './web/site/home.tsx';
import { icon } from './web/site/icon.ts';
import { methodology } from './web/site/methodology.tsx';
import { statusPage } from './web/status/status.tsx';
import { statusMarkdown } from './web/status/status-markdown.ts';
import { watchPage } from './web/watch/watch.tsx';
import { worth, worthOfFile, worthOfText } from './web/worth/worth.tsx';

/** Views that every locator has, by the last path segment. */
const VIEWS = [
  ['', detail],
  ['/overview', overview],
  ['/trades', trades],
  ['/series', series],
  ['/fmv-series', fmvSeries],
] as const;

const ITEM_ROUTES: Mounting<WebContext>[] = [
  get('/v1/items/summaries', summaries),
  get('/v1/items/featured', featured),
  ...[bySlug, byId, byUpstreamId, byExternalId].flatMap((locator) =>
    addressesOf(locator, VIEWS).map(([path, endpoint]) => get(path, endpoint)),
  ),
  get(`${bySlug.path}/similar`, endpointOf(similar, bySlug)),
];

const INDEX_ROUTES: Mounting<WebContext>[] = [
  get('/v1/indices', indices),
  get('/v1/indices/:game', indexDetail),
  get('/v1/indices/:game/series', indexSeries),
  get('/v1/indices/:game/rebalance/:date', rebalance),
  ...DOWNLOADS,
];

/** The API as an OpenAPI document. */
const routes = () => ROUTES;
const documentOf = openapiDocuments(routes);

/** The API: path, handler. Legacy aliases at the bottom. */
export const ROUTES: Mounting<WebContext>[] = [
  get('/health', health),
  get('/v1/health', health),
  get('/ready', ready),
  get('/v1/status', status),
  get('/v1/usage', usage),
  { path: '/v1/partners/apply', endpoint: apply },
  { path: '/v1/report', endpoint: report },
  get('/v1/openapi.json', openapiEndpoint(documentOf)),
  get('/v1/openapi-3.2.json', openapi32Endpoint(documentOf, routes)),
  ...ITEM_ROUTES,
  get('/v1/games', games),
  get('/v1/sets', setList),
  get('/v1/sets/:game/:set', set),
  get('/v1/search', search),
  get('/v1/search/suggest', suggest),
  get('/v1/search/embedding-model', embeddingModel),
  { path: '/v1/search/by-embedding', endpoint: byEmbedding },
  { path: '/v1/search/by-image', endpoint: byImage },
  { path: '/v1/search/by-image/bulk', endpoint: byImageBulk },
  { path: '/v1/search/detect-items', endpoint: detectItems },
  get('/v1/tags', tags),
  get('/v1/trades/recent', recentTradesEndpoint),
  get('/v1/changes', changes),
  get('/v1/corrections', corrections),
  get('/v1/audit', audit),
  get('/v1/graded', certLookups),
  get('/v1/graded/:cert', certLookup),
  get('/v1/graded/:cert/history', certHistory),
  get('/v1/graded/:cert/stream', certStream),
  { path: '/v1/graded/by-image', endpoint: gradedByImage },
  { path: '/v1/resolve', endpoint: resolve },
  { path: '/v1/valuations', endpoint: valuations },
  ...INDEX_ROUTES,
  ...ACCURACY_ROUTES,
  { path: '/v1/record', endpoint: recordHead },
  { path: '/v1/record/:day', endpoint: recordFile },
  { path: '/v1/receipts/:item/:grade/:day', endpoint: receipt },
  { path: '/v1/bulk', endpoint: bulkManifest },
  get('/v1/bulk/:name', bulkFile),
  { path: '/v1/search/detect-cards', endpoint: detectItems, extraHeaders: LEGACY_HEADERS },
  // The documented sibling of by-upstream-id/{rid}/detail.
  get('/v1/cards/by-upstream-id/:rid', endpointOf({ ...detail, id: 'cardDetail' }, byUpstreamId)),
  ...ITEM_ROUTES.filter(({ path }) => path !== byUpstreamId.path && !path.startsWith(byExternalId.path)).map(
    legacyAlias,
  ),
];

/** The public pages and the files that belong to them, none under /v1. */
export const PAGES: Page[] = [
  home,
  gamesPage,
  gamePage,
  setPage,
  setMarkdown,
  setFeed,
  searchPage,
  searchSuggest,
  card,
  cardImage,
  setImage,
  siteImage,
  certImage,
  cardMarkdown,
  cardFeed,
  indexFeed,
  moversPage,
  moversMarkdown,
  salesPage,
  salesMarkdown,
  watchPage,
  worth,
  statusPage,
  statusMarkdown,
  ...priceFiles,
  quote,
  quoteCsv,
  indicesPage,
  indexPage,
  indexMarkdown,
  indexImage,
  ...indexFiles,
  icon,
  sitemapIndex,
  robots,
  llms,
  apiCatalog,
  moversFeed,
  research,
  researchFeed,
  researchTwin,
  researchImage,
  researchArticle,
  ...methodology,
  accuracyPage,
  accuracyMarkdown,
  correctionsOfAll,
  correctionsMarkdown,
  correctionsFeed,
  auditOfAll,
  auditMarkdown,
  apiReference(() => ROUTES, documentOf),
  ...changelog,
  ...certPages,
  scan,
  partners.page,
  ...problemPages,
  reportPages.page,
  about,
];

/** Forms of the pages, sent without scripts. */
export const FORMS: PageForm[] = [certValuation, scanForm, worthOfText, worthOfFile, partners.form, reportPages.form];

/** Routes that scripts of the pages call, outside the API and its budgets. */
export const SITE_ROUTES: Mounting<WebContext>[] = [
  get('/cert/:cert/events', certEvents),
  get('/scan/events', scanEvents),
];

/** The tools for language models, over Streamable HTTP. */
export const MCP: McpRoute = mcp;

/** Files outside of the API; two of them on some installations only. */
export const FILES: FileRoute<WebContext>[] = [
  sitemap,
  assetFile,
  imageFile,
  securityTxt,
  metricsFile,
  demoArt,
  demoPhotoFile,
  { path: '/docs', answer: () => ({ movedTo: '/api' }) },
];

function get(path: string, endpoint: Endpoint): Mounting {
  return { path, endpoint };
}

function legacyAlias({ path, endpoint }: Mounting): Mounting {
  return { path: path.replace('/v1/items', '/v1/cards'), endpoint, extraHeaders: LEGACY_HEADERS };
}
