/** The head of a table: a heading a column, with its classes where it has any. */
export function Headings({ columns }: { columns: readonly (string | readonly [text: string, classes?: string])[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const [text, classes] = typeof column === 'string' ? [column, undefined] : column;
          return (
            <th key={text} scope="col" class={classes}>
              {text}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
