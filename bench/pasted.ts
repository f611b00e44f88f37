/**
 * A page with a table between `<!-- printed: name -->` and the next `<!-- end -->`.
 * @throws Error when the page does not have those marks.
 */
export function pasted(page: string, name: string, table: string): string {
  const mark = `<!-- printed: ${name} -->\n`;
  const from = page.indexOf(mark);
  const to = page.indexOf('<!-- end -->', from);
  if (from < 0 || to < 0) throw new Error(`the page has no mark for "${name}"`);
  return `${page.slice(0, from + mark.length)}\n${table}\n\n${page.slice(to)}`;
}
