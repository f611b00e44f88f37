import { isDeepStrictEqual } from 'node:util';
import type { Session } from '../db/client.ts';
import { type ExternalId, storedExternalId } from './external-ids.ts';
import { cardKeyOf, itemIdOf, nameAndVariationOf } from './identity.ts';
import type { KnownSet } from './known-sets.ts';
import type { CatalogRecord } from './record.ts';

/** A record with its set and identity keys: what a batch decides upon. */
export type PlacedRecord = { record: CatalogRecord; set: KnownSet; identityKey: string; cardKey: string };

type KnownItem = {
  id: string;
  identityKey: string;
  /** The id space that made it: it keeps the item up to date. */
  source: string;
  /** Every id space that lists it. */
  spaces: Set<string>;
  /** Those in which this import has met it. */
  met: Set<string>;
  stored: StoredFields | null;
};

type StoredFields = {
  number: string | null;
  name: string;
  printed_name: string | null;
  rarity: string | null;
  year: number | null;
  image_url: string | null;
  image_url_thumb: string | null;
  facts: CatalogRecord['facts'];
};

/** A batch of records with what the database knows about them, and what is to be written. */
export type Batch = {
  placed: PlacedRecord[];
  byId: Map<string, KnownItem>;
  byIdentity: Map<string, KnownItem>;
  /** Items of shared sets by number: joining must be certain there. */
  byCard: Map<string, KnownItem[]>;
  added: { id: string; placed: PlacedRecord }[];
  changed: Map<string, StoredFields & { id: string }>;
  /** The external ids are those of a record's own row; null on the others, and where the source has none. */
  listed: { space: string; sourceId: string; itemId: string; externalIds: string[] | null }[];
};

type Verdict = { kind: 'added' | 'known' | 'joined' } | { kind: 'dropped'; reason: string; message?: string };

/** Loads what the database knows of a batch: by source id, by identity, and the neighbors within shared sets. */
export async function loadBatch(session: Session, placed: PlacedRecord[], importId: number): Promise<Batch> {
  const ids = placed.flatMap(({ record }) => record.ids);
  const shared = [...new Set(placed.filter(({ set }) => set.shared).map(({ cardKey }) => cardKey))];
  const rows = await session.query<
    StoredFields & { id: string; identity_key: string; source: string; listed: [string, string, number][] }
  >(
    // Row by row: without statistics of what this import has just written, the planner would read the whole tables.
    `with wanted as (
       select s.item_id as id from unnest($1::text[], $2::text[]) as a (space, source_id)
         cross join lateral (select item_id from item_sources where (space, source_id) = (a.space, a.source_id) offset 0) s
       union select i.id from unnest($3::text[]) as k (key)
         cross join lateral (select id from items where identity_key = k.key offset 0) i
       union select i.id from unnest($4::text[]) as k (key)
         join items i on i.identity_key > k.key || chr(31) and i.identity_key < k.key || chr(32)
     )
     select i.id, i.identity_key, i.source, i.number, i.name, i.printed_name, i.rarity, i.year, i.facts,
       -- Of an item with an image of ours, what the source names.
       case when m.item_id is null then i.image_url else m.source_image_url end as image_url,
       case when m.item_id is null then i.image_url_thumb else m.source_image_url_thumb end as image_url_thumb,
       (select jsonb_agg(jsonb_build_array(s.space, s.source_id, s.import_id))
        from item_sources s where s.item_id = i.id) as listed
     from wanted cross join lateral (select * from items where items.id = wanted.id offset 0) i
     left join item_images m on m.item_id = i.id`,
    [ids.map(([space]) => space), ids.map(([, id]) => id), placed.map((one) => one.identityKey), shared],
  );
  const batch: Batch = {
    placed,
    byId: new Map(),
    byIdentity: new Map(),
    byCard: new Map(),
    added: [],
    changed: new Map(),
    listed: [],
  };
  for (const { id, identity_key, source, listed, ...stored } of rows) {
    const spaces = new Set(listed.map(([space]) => space));
    const met = new Set(listed.filter(([, , at]) => at === importId).map(([space]) => space));
    const item = { id, identityKey: identity_key, source, spaces, met, stored };
    remember(batch, item);
    for (const [space, sourceId] of listed) batch.byId.set(`${space} ${sourceId}`, item);
  }
  return batch;
}

/**
 * Decides which item a record is, strongest evidence first: its own source id, another source's id for the same printing,
 * its identity; else it is new, unless its number is already there under another name or another source's words.
 */
export function decide(batch: Batch, placed: PlacedRecord): Verdict {
  const { record } = placed;
  const [space, sourceId] = record.ids[0]!;
  const own = batch.byId.get(`${space} ${sourceId}`);
  if (own) {
    if (own.source === space) update(batch, own, record, true);
    recordListing(batch, own, record);
    return { kind: 'known' };
  }
  const others = new Set(record.ids.slice(1).flatMap((id) => batch.byId.get(id.join(' ')) ?? []));
  if (others.size > 1) {
    const message = `its ids are of different items: ${[...others].map(({ id }) => id).join(', ')}`;
    return { kind: 'dropped', reason: 'ids_disagree', message };
  }
  const [other] = others;
  const same = other ?? batch.byIdentity.get(placed.identityKey) ?? spelledOtherwise(batch, placed);
  if (same) {
    const isKnown = same.spaces.has(space);
    // A source may give a card another id; but it does not list one printing twice.
    if (isKnown && (same.met.has(space) || same.identityKey !== placed.identityKey))
      return { kind: 'dropped', reason: 'same_identity', message: `same printing as ${same.id}` };
    update(batch, same, record, same.source === space);
    recordListing(batch, same, record);
    return { kind: isKnown ? 'known' : 'joined' };
  }
  const unsure = placed.set.shared ? unsureNeighbour(batch, placed, space) : null;
  if (unsure) return unsure;
  const item: KnownItem = {
    id: itemIdOf(placed.identityKey),
    identityKey: placed.identityKey,
    source: space,
    spaces: new Set(),
    met: new Set(),
    stored: null,
  };
  remember(batch, item);
  batch.added.push({ id: item.id, placed });
  recordListing(batch, item, record);
  return { kind: 'added' };
}

/**
 * The same printing of a shared set whose name another source divides otherwise: Farfetch'd and Farfetchd, Z-Gok and Zgok. Null where several
 * may be meant.
 */
function spelledOtherwise(batch: Batch, { record, set, identityKey, cardKey }: PlacedRecord): KnownItem | null {
  if (!set.shared) return null;
  const mine = nameAndVariationOf(identityKey);
  const [space] = record.ids[0]!;
  const elsewhere = (batch.byCard.get(cardKey) ?? []).filter(({ spaces }) => !spaces.has(space));
  const alike = elsewhere.filter((neighbour) => {
    const theirs = nameAndVariationOf(neighbour.identityKey);
    return theirs.variation === mine.variation && theirs.name.replaceAll('-', '') === mine.name.replaceAll('-', '');
  });
  return alike.length === 1 ? alike[0]! : null;
}

function unsureNeighbour(batch: Batch, placed: PlacedRecord, space: string): Verdict | null {
  const mine = nameAndVariationOf(placed.identityKey);
  for (const neighbour of batch.byCard.get(placed.cardKey) ?? []) {
    if (neighbour.spaces.has(space)) continue;
    const theirs = nameAndVariationOf(neighbour.identityKey);
    if (theirs.name !== mine.name)
      return {
        kind: 'dropped',
        reason: 'name_unsure',
        message: `number ${placed.record.number} is "${theirs.name}" (${neighbour.id}) in another source`,
      };
    if (theirs.variation !== '' && mine.variation !== '')
      return {
        kind: 'dropped',
        reason: 'variation_unsure',
        message: `may be the variation "${theirs.variation}" (${neighbour.id}) of another source`,
      };
  }
  return null;
}

function remember(batch: Batch, item: KnownItem): void {
  batch.byIdentity.set(item.identityKey, item);
  const card = cardKeyOf(item.identityKey);
  const neighbours = batch.byCard.get(card);
  if (neighbours) neighbours.push(item);
  else batch.byCard.set(card, [item]);
}

function recordListing(batch: Batch, item: KnownItem, record: CatalogRecord): void {
  const [own, ...others] = record.ids;
  const isElsewhere = (id: ExternalId) => (batch.byId.get(id.join(' ')) ?? item) !== item;
  // An id that is another item's already is kept with this one too: it then identifies neither.
  const disputed = others.filter(isElsewhere);
  const externalIds = disputed.length > 0 ? [...(record.externalIds ?? []), ...disputed] : record.externalIds;
  for (const id of [own!, ...others.filter((one) => !isElsewhere(one))]) {
    const [space, sourceId] = id;
    item.spaces.add(space);
    item.met.add(space);
    batch.byId.set(id.join(' '), item);
    const ofRow = id === own ? externalIds?.map(storedExternalId) : undefined;
    batch.listed.push({ space, sourceId, itemId: item.id, externalIds: ofRow ?? null });
  }
}

/**
 * Updates an item: the source that made it keeps it up to date, another one (`isOwn` false) only fills in what is blank.
 * Its slug and id stay as they were.
 */
function update(batch: Batch, item: KnownItem, record: CatalogRecord, isOwn: boolean): void {
  if (item.stored === null) return;
  const fields = fieldsOf(record);
  const [first, second] = isOwn ? [fields, item.stored] : [item.stored, fields];
  const stated = Object.fromEntries(Object.entries(first).filter(([, value]) => value !== null));
  const next: StoredFields = { ...second, ...stated, facts: { ...second.facts, ...first.facts } };
  if (isDeepStrictEqual(next, item.stored)) return;
  item.stored = next;
  batch.changed.set(item.id, { ...next, id: item.id });
}

function fieldsOf(record: CatalogRecord): StoredFields {
  return {
    number: record.number,
    name: record.name,
    printed_name: record.printedName,
    rarity: record.rarity,
    year: record.year,
    image_url: record.imageUrl,
    image_url_thumb: record.imageUrlThumb,
    facts: record.facts,
  };
}
