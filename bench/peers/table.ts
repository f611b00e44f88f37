/** A line of the comparison. */
export type Row = { subject: string; engine: string; figures: string[] };

/** The comparison as a table of Markdown; a subject is named in its first line. */
export function markdownTable(rows: readonly Row[]): string {
  const lines = rows.map(({ subject, engine, figures }, i) => {
    const isFirst = rows[i - 1]?.subject !== subject;
    return `| ${isFirst ? subject : ''} | ${engine} | ${figures.join('; ')} |`;
  });
  return ['| | | measured |', '|---|---|---|', ...lines].join('\n');
}
