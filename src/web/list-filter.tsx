/** A choice of a list: its parameter, its label, and its values with their names; the first is the default. */
type FilterField = {
  name: string;
  label: string;
  chosen: string | null;
  options: readonly (readonly [value: string, name: string])[];
};

type ListFilterOf = {
  path: string;
  label: string;
  fields: readonly FilterField[];
  /** Parameters that are sent as they are; null ones are left out. */
  kept?: Record<string, string | null>;
};

/** A form of choices that reloads the page with them. */
export function ListFilter({ path, label, fields, kept = {} }: ListFilterOf) {
  return (
    <form class="list-filter" action={path} method="get" aria-label={label}>
      {Object.entries(kept).map(([name, value]) =>
        value === null ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
      {fields.map((field) => (
        <label key={field.name}>
          {field.label}
          <select name={field.name}>
            {field.options.map(([value, name]) => (
              <option key={value} value={value} selected={value === (field.chosen ?? '')}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ))}
      <button type="submit">Show</button>
    </form>
  );
}
