import { aegis } from '../catalog/formats/aegis.ts';
import { apitcgDigimon } from '../catalog/formats/apitcg-digimon.ts';
import { bandai } from '../catalog/formats/bandai.ts';
import { cardChecklists } from '../catalog/formats/card-checklists.ts';
import { digimonJa } from '../catalog/formats/digimon-ja.ts';
import { gcgApi } from '../catalog/formats/gcg-api.ts';
import { junkwaxdata } from '../catalog/formats/junkwaxdata.ts';
import { limitless } from '../catalog/formats/limitless.ts';
import { lorcanaCatalog } from '../catalog/formats/lorcana-catalog.ts';
import { lorcanaData } from '../catalog/formats/lorcana-data.ts';
import { lorcast } from '../catalog/formats/lorcast.ts';
import { mintmark } from '../catalog/formats/mintmark.ts';
import { mtgjson } from '../catalog/formats/mtgjson.ts';
import { pokemontcg } from '../catalog/formats/pokemontcg.ts';
import { riftbound } from '../catalog/formats/riftbound.ts';
import { scryfall } from '../catalog/formats/scryfall.ts';
import { t206api } from '../catalog/formats/t206api.ts';
import { tcgEnginesGundam } from '../catalog/formats/tcg-engines-gundam.ts';
import { tcgdex } from '../catalog/formats/tcgdex.ts';
import { xmage } from '../catalog/formats/xmage.ts';
import { ygojson } from '../catalog/formats/ygojson.ts';
import type { CatalogFormat } from '../catalog/record.ts';

/** Every catalog format that can be imported, our own first. */
export const CATALOG_FORMATS: readonly CatalogFormat[] = [
  mintmark,
  tcgdex,
  pokemontcg,
  limitless,
  bandai,
  mtgjson,
  scryfall,
  xmage,
  ygojson,
  lorcanaData,
  lorcast,
  lorcanaCatalog,
  aegis,
  apitcgDigimon,
  digimonJa,
  riftbound,
  gcgApi,
  tcgEnginesGundam,
  junkwaxdata,
  cardChecklists,
  t206api,
];
