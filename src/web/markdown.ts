import { Marked, type Tokens } from 'marked';

/** Where a link of a document leads on the site; documents link each other by file name. */
type LinkOf = (href: string) => string;

/**
 * A document of the project as HTML. Tables and code scroll by themselves, by keyboard too. Headings have anchors; the
 * document's first heading is left out, since the page has its own.
 */
export function htmlOf(markdown: string, linkOf: LinkOf = (href) => href): string {
  let tables = 0;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const text = this.parser.parseInline(tokens);
        return depth === 1 ? '' : `<h${depth} id="${anchorOf(text)}">${text}</h${depth}>\n`;
      },
      link({ href, title, tokens }: Tokens.Link) {
        const hint = title ? ` title="${escaped(title)}"` : '';
        return `<a href="${escaped(linkOf(href))}"${hint}>${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }: Tokens.Image) {
        return `<img src="${escaped(linkOf(href))}" alt="${escaped(text)}" loading="lazy">`;
      },
      code({ text }: Tokens.Code) {
        return `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`;
      },
      table(token: Tokens.Table) {
        // An empty corner is not a heading.
        const tagOf = (cell: Tokens.TableCell, tag: string) => (tag === 'th' && cell.text === '' ? 'td' : tag);
        const row = (cells: Tokens.TableCell[], tag: 'th' | 'td') =>
          `<tr>${cells.map((cell) => `<${tagOf(cell, tag)}${cell.align === 'right' ? ' class="num"' : ''}>${this.parser.parseInline(cell.tokens)}</${tagOf(cell, tag)}>`).join('')}</tr>`;
        const body = token.rows.map((cells) => row(cells, 'td')).join('');
        return `<section class="scroll-x" aria-label="Table ${++tables}" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></section>\n`;
      },
    },
  });
  return marked.parse(markdown, { async: false });
}

/** The title that a document begins with. */
export function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? '';
}

function anchorOf(html: string): string {
  const words = html.replace(/<[^>]+>|&\w+;/g, '').toLowerCase();
  return words.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
