import type { Connection } from '../../connections.ts';
import type { ServiceClientWorld } from '../../http/outbound/service-client.ts';
import { ConfigError } from '../../lib/config-error.ts';
import { openCsvHttp } from './csv-http.ts';
import { openEbayBrowse } from './ebay-browse.ts';
import { openEbayInsights } from './ebay-insights.ts';
import { openJsonHttp } from './json-http.ts';
import type { SaleSource } from './source.ts';
import { FOLDER_KIND, openWatchedFolder, type WatchedFolder } from './watched-folder.ts';

type Open = (world: ServiceClientWorld, connection: Connection) => SaleSource;

const KINDS: Record<string, Open> = {
  'ebay-browse': openEbayBrowse,
  'ebay-insights': openEbayInsights,
  'json-http': openJsonHttp,
  'csv-http': openCsvHttp,
};

export type Sources = {
  /** Sources that are queried for a series. */
  markets: SaleSource[];
  folders: WatchedFolder[];
};

/** Opens the operator's sources. Throws ConfigError with every mistake of their settings. */
export function openSources(world: ServiceClientWorld, connections: readonly Connection[]): Sources {
  const sources: Sources = { markets: [], folders: [] };
  const mistakes: string[] = [];
  for (const connection of connections) {
    const { kind } = connection;
    try {
      if (kind === FOLDER_KIND) sources.folders.push(openWatchedFolder(connection));
      else if (Object.hasOwn(KINDS, kind)) sources.markets.push(KINDS[kind]!(world, connection));
      else
        mistakes.push(
          connection.mistake(['kind'], `must be one of ${[...Object.keys(KINDS), FOLDER_KIND].join(', ')}`),
        );
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      mistakes.push(error.message);
    }
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'));
  return sources;
}
