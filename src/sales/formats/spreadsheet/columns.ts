/** Column names that people and programs use for a field, without case and punctuation. A field's own name always counts. */
const NAMES: Record<string, readonly string[]> = {
  title: ['item title', 'listing title', 'card', 'card name', 'name', 'item', 'description'],
  company: ['grader', 'grading company', 'graded by'],
  price: ['sold for', 'sold price', 'sale price', 'final price', 'amount'],
  sold_at: ['sold on', 'sold date', 'date sold', 'sale date', 'end date', 'date'],
  sale_id: ['transaction id', 'order number', 'order id', 'item number', 'item id number'],
  quantity: ['qty'],
  cert: ['cert number', 'certification number', 'certificate'],
  url: ['link', 'listing url', 'item url'],
  listing_id: ['item number', 'listing number'],
  source: ['marketplace', 'platform', 'venue', 'sold at site'],
};

export type Columns<Field extends string> = {
  /** The field of each column; null for one that is ignored. */
  fields: (Field | null)[];
  /** Fields that are put together from several columns: where these are, in the order of their texts. */
  joined: [field: Field, places: readonly number[]][];
  /** The columns of each field that has another name, or several. */
  renamed: [field: Field, columns: readonly string[]][];
  ignored: string[];
  /** The names of all columns, as written. */
  header: readonly string[];
};

/** Field → name of its column, or of several: the first has to be there. */
export type ColumnMap = ReadonlyMap<string, string | readonly string[]>;

/**
 * Finds the field of each column: by `map`, else by name. Returns a sentence about what is wrong if
 * a mapped column does not exist or two columns may be one field.
 */
export function columnsOf<Field extends string>(
  header: readonly string[],
  known: readonly Field[],
  map: ColumnMap,
): Columns<Field> | string {
  const names = header.map(plain);
  const fields: (Field | null)[] = header.map(() => null);
  const free = new Set(known);
  const joined: Columns<Field>['joined'] = [];
  for (const [field, columns] of map) {
    const [column, ...more] = [columns].flat() as [string, ...string[]];
    const at = names.indexOf(plain(column));
    if (at === -1) return `there is no column "${column}" for ${field}; the columns are ${listed(header)}`;
    fields[at] = field as Field;
    free.delete(field as Field);
    const places = more.map((name) => names.indexOf(plain(name))).filter((place) => place !== -1);
    if (places.length > 0) joined.push([field as Field, [at, ...places]]);
  }
  // The exact names first; but "Price" next to "Sold for" may be what somebody once paid.
  for (const [at, name] of names.entries()) {
    const field = known.find((one) => plain(one) === name);
    const others = field !== 'price' || !free.has(field) ? [] : placesOf(field, names, fields);
    if (others.length > 0) return ambiguous(field!, [at, ...others], header);
    if (fields[at] !== null || field === undefined || !free.delete(field)) continue;
    fields[at] = field;
  }
  for (const field of [...free]) {
    const places = placesOf(field, names, fields);
    // The order of the list is the order of preference, but nothing is preferred silently for what makes a price.
    if (places.length > 1 && (field === 'price' || field === 'sold_at')) return ambiguous(field, places, header);
    const best = places.sort((a, b) => NAMES[field]!.indexOf(names[a]!) - NAMES[field]!.indexOf(names[b]!))[0];
    if (best !== undefined) fields[best] = field;
  }
  const joinedAt = new Map(joined);
  const renamed = fields.flatMap((field, at): Columns<Field>['renamed'] =>
    field !== null && plain(field) !== names[at]
      ? [[field, (joinedAt.get(field) ?? [at]).map((place) => header[place]!)]]
      : [],
  );
  const used = new Set(joined.flatMap(([, places]) => places));
  const ignored = header.filter((name, at) => fields[at] === null && !used.has(at) && name.trim() !== '');
  return { fields, joined, renamed, ignored, header };
}

/** The columns that are still free and have one of the usual names of a field. */
function placesOf(field: string, names: readonly string[], fields: readonly (string | null)[]): number[] {
  return names.flatMap((name, at) => (fields[at] === null && NAMES[field]?.includes(name) ? [at] : []));
}

function ambiguous(field: string, places: readonly number[], header: readonly string[]): string {
  return `${listed(places.map((at) => header[at]!))} may be ${field}: choose with --map ${field}="${header[places[0]!]}"`;
}

export function listed(names: readonly string[]): string {
  return names.map((name) => `"${name.trim().slice(0, 40)}"`).join(', ');
}

/** A name without case, punctuation and marks: `Sold-For ` is `sold for`. */
function plain(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
