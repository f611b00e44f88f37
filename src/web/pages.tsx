import { Chips } from './chips.tsx';
import { count } from './format.ts';

type PagesOf = {
  addressOfPage(page: number): string;
  page: number;
  pages: number;
};

/** The way to the pages before and after, and to the first and the last; nothing for one page. */
export function Pages({ addressOfPage, page, pages }: PagesOf) {
  if (pages <= 1) return null;
  const chip = (to: number, name: string, rel?: string) => ({ href: addressOfPage(to), name, rel });
  return (
    <nav class="pages" aria-label="Pages">
      <p>
        Page {count(page)} of {count(pages)}
      </p>
      <Chips
        links={[
          page > 2 && chip(1, 'First'),
          page > 1 && chip(page - 1, 'Previous', 'prev'),
          page < pages && chip(page + 1, 'Next', 'next'),
          page < pages - 1 && chip(pages, 'Last'),
        ].filter((one) => one !== false)}
      />
    </nav>
  );
}
