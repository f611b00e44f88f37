import { type Static, Type } from 'typebox';
import { type Connection, serviceClientOptions } from '../../connections.ts';
import { HEADERS, headersOf } from '../../connectors/headers.ts';
import { openServiceClient, type ServiceClient, type ServiceClientWorld } from '../../http/outbound/service-client.ts';
import { ConfigError } from '../../lib/config-error.ts';
import { LISTING_FIELDS, type RawListing } from '../crawl/listing.ts';
import { type ListingEntry, listingEntryOf } from '../formats/listings.ts';
import { entryOf, type SaleEntry } from '../formats/sales-format.ts';
import { type RawSale, SALE_FIELDS } from '../sale.ts';
import { keywordsOf, type MarketQuery } from './source.ts';

const text = Type.String({ maxLength: 2000 });
/** What sources that are described by their settings have in common. */
export const HTTP_SETTINGS = {
  /** Called for each series: `{query}`, `{name}`, … are filled in. */
  url: text,
  tells: Type.Enum(['sale', 'listing']),
  headers: HEADERS,
  /** Fields that are the same in all rows. */
  constants: Type.Optional(Type.Record(Type.String(), text)),
};

const settingsShape = Type.Object(HTTP_SETTINGS);
type HttpSettings = Static<typeof settingsShape>;

/** Placeholders of an address. */
const PLACES: Record<string, (query: MarketQuery) => string> = {
  query: (query) => keywordsOf(query),
  name: (query) => query.name,
  number: (query) => query.number ?? '',
  set: (query) => query.setName,
  language: (query) => query.language,
  game: (query) => query.game,
  company: (query) => query.company,
  grade: (query) => (query.grade.number === null ? query.grade.grade : String(query.grade.number)),
  gradeKey: (query) => query.grade.key,
  itemId: (query) => query.itemId,
  upstreamItemId: (query) => query.upstreamItemId ?? '',
};

type HttpSource = {
  client: ServiceClient;
  headers: Record<string, string>;
  addressOf(query: MarketQuery): string;
};

/** Opens the client of a source that is described by its settings; `mapped` are the fields that its rows fill. */
export function openHttpSource(
  world: ServiceClientWorld,
  connection: Connection,
  { settings, mapped, place }: { settings: HttpSettings; mapped: readonly string[]; place: string },
): HttpSource {
  const { url, tells, headers = {}, constants = {} } = settings;
  const known: readonly string[] = tells === 'sale' ? SALE_FIELDS : LISTING_FIELDS;
  const noField = `is not a field of a ${tells}: ${known.join(', ')}`;
  const places = Object.keys(PLACES).map((name) => `{${name}}`);
  const mistakes = [
    ...unknownIn(mapped, known).map((name) => connection.mistake([place, name], noField)),
    ...unknownIn(Object.keys(constants), known).map((name) => connection.mistake(['constants', name], noField)),
    ...unknownIn(url.match(/\{\w*\}/g) ?? [], places).map((name) =>
      connection.mistake(['url'], `${name} is not one of ${places.join(', ')}`),
    ),
  ];
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'));
  return {
    client: openServiceClient(world, serviceClientOptions(connection, [url])),
    headers: headersOf(connection, headers),
    addressOf: (query) => url.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(PLACES[name]!(query))),
  };
}

function unknownIn(names: readonly string[], known: readonly string[]): string[] {
  return names.filter((name) => !known.includes(name));
}

export type FoundRow = { fields: Record<string, string>; raw: string };

/** Rows as entries of the own format; the source is the connection's id unless the settings say another. */
export function entriesOf(
  rows: readonly FoundRow[],
  { connection, settings, today }: { connection: Connection; settings: HttpSettings; today: number },
): { sales: SaleEntry[]; listings: ListingEntry[] } {
  const filled = rows.map(({ fields, raw }) => ({
    fields: { source: connection.id, ...settings.constants, ...fields },
    raw,
  }));
  if (settings.tells === 'sale')
    return { sales: filled.map(({ fields, raw }, n) => entryOf(fields as RawSale, n + 1, () => raw)), listings: [] };
  return {
    sales: [],
    listings: filled.map(({ fields, raw }, n) => listingEntryOf(fields as RawListing, today, n + 1, raw)),
  };
}
