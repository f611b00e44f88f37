import { Marked, type Tokens } from 'marked';
import { DIVIDERS } from '../line-breaks.tsx';
import { barsOf, CAPTION_OF_BARS } from './markdown-bars.ts';

type Places = {
  /** Where a link of a document leads on the site; documents link each other by file name. */
  linkOf?(href: string): string;
  /** The drawing that a document shows by file name, as SVG; null for a picture that is not ours. */
  drawingOf?(href: string): string | null;
};

/**
 * A document of the project as HTML. Tables and code scroll by themselves, by keyboard too; a table below the comment
 * `<!-- bars: caption -->` is drawn as well. Drawings become a part of the page, which gives them its colors. Headings have
 * anchors; the document's first heading is left out, since the page has its own.
 */
export function htmlOf(markdown: string, { linkOf = (href) => href, drawingOf = () => null }: Places = {}): string {
  let tables = 0;
  let codes = 0;
  let caption: string | null = null;
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
        const drawing = drawingOf(href);
        if (drawing !== null) return `<span class="drawing" role="img" aria-label="${escaped(text)}">${drawing}</span>`;
        return `<img src="${escaped(linkOf(href))}" alt="${escaped(text)}" loading="lazy">`;
      },
      code({ text }: Tokens.Code) {
        return `<pre role="group" aria-label="Code ${++codes}" tabindex="0"><code>${escaped(text)}</code></pre>\n`;
      },
      codespan({ text }: Tokens.Codespan) {
        return `<code>${text.split(DIVIDERS).map(escaped).join('<wbr>')}</code>`;
      },
      html({ text }: Tokens.HTML | Tokens.Tag) {
        caption = CAPTION_OF_BARS.exec(text)?.[1] ?? null;
        return caption === null ? text : '';
      },
      table({ header, rows }: Tokens.Table) {
        const inline = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens);
        const cell = (one: Tokens.TableCell, tag: string) => {
          // An empty corner is not a heading.
          const [name] = tag.split(' ');
          const opened = name === 'th' && one.text === '' ? 'td' : tag;
          return `<${opened}${one.align === 'right' ? ' class="num"' : ''}>${inline(one)}</${opened.split(' ')[0]}>`;
        };
        const head = header.map((one) => cell(one, 'th scope="col"')).join('');
        const body = rows.map((cells) =>
          cells.map((one, at) => cell(one, at === 0 ? 'th scope="row"' : 'td')).join(''),
        );
        const texts = [header, ...rows].map((cells) => cells.map((one) => inline(one).replace(/<[^>]+>/g, '')));
        const bars = caption === null ? '' : barsOf(caption, texts);
        caption = null;
        return `${bars}<div class="scroll-x" role="group" aria-label="Table ${++tables}" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body.map((row) => `<tr>${row}</tr>`).join('')}</tbody></table></div>\n`;
      },
    },
  });
  return marked.parse(markdown, { async: false });
}

/** The title that a document begins with. */
export function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? '';
}

/** A heading that a list of contents leads to. */
export type Heading = { id: string; title: string };

/** The headings of the second level, in their order. */
export function contentsOf(html: string): Heading[] {
  return [...html.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g)].map(([, id, title]) => ({
    id: id!,
    title: title!.replace(/<[^>]+>/g, ''),
  }));
}

function anchorOf(html: string): string {
  const words = html.replace(/<[^>]+>|&\w+;/g, '').toLowerCase();
  return words.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
