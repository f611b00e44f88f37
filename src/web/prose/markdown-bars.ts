/** The comment above a table that is drawn as bars; its text is the caption, HTML of the document's author. */
export const CAPTION_OF_BARS = /^<!-- bars: (.+?) -->/s;

/** Looks of what is ours, or the newest, and of what it is compared with. */
const [OURS, ...OTHERS] = ['bar-first', 'bar-second', 'bar-third'];

/**
 * A table as bars, as HTML: `[head, …rows]`, each the texts of its cells as HTML, the first of which names the row. A column
 * is a series, of which ours or else the last one is accented; a cell that is not a figure has no bar. The bars begin at 0. The table below has the same figures, so that
 * the drawing is a picture.
 */
export function barsOf(caption: string, [head, ...rows]: readonly (readonly string[])[]): string {
  const series = head!.slice(1);
  const most = Math.max(...rows.flatMap((row) => row.slice(1).map(figureOf)).filter((value) => value !== null));
  const hasOwn = rows.some(([name]) => isOwn(name!));
  const own = series.findIndex(isOwn);
  const accented = own === -1 ? series.length - 1 : own;
  const seriesLook = (at: number) => (at === accented ? OURS : OTHERS[at - (at > accented ? 1 : 0)]);
  const lookOf = (name: string, at: number) =>
    series.length === 1 && hasOwn && !isOwn(name) ? OTHERS[0] : seriesLook(at);
  const drawn = rows.map(([name, ...cells]) => {
    const bars = cells.flatMap((text, at) => {
      const value = figureOf(text);
      if (value === null) return [];
      const width = ((100 * value) / most).toFixed(1);
      return [
        `<span class="bar ${lookOf(name!, at)}"><svg width="100%" height="14"><rect width="${width}%" height="14" rx="2"/></svg><span>${text}</span></span>`,
      ];
    });
    return `<span class="bars-row"><span class="bars-name">${name}</span><span>${bars.join('')}</span></span>`;
  });
  const names = series.map((name, at) => `<span class="bars-series ${seriesLook(at)}">${name}</span>`).join(' ');
  const key = series.length === 1 ? '' : `<span class="bars-key">${names}</span>`;
  return `<div class="bars" role="img" aria-label="Bars of the next table"><p>${caption}</p>${key}${drawn.join('')}</div>\n`;
}

function isOwn(name: string): boolean {
  return /^our\b/i.test(name);
}

/** The figure of a cell, as `11.1`, `.93`, `3.55%` or `10,000`; null for another text. */
function figureOf(text: string): number | null {
  const figure = text.replaceAll(',', '').replace(/%$/, '');
  return figure === '' || Number.isNaN(Number(figure)) ? null : Number(figure);
}
