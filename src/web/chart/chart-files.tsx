/** A chart as files, and as a frame for other sites; addresses are site-relative. */
export type FilesOf = {
  /** What follows is after it: `.csv`, `.svg`, `.png`. */
  file: string;
  /** Of the window: `?window=90`, or empty. */
  query: string;
  embed: { baseUrl: string; path: string; title: string };
};

const FORMS = [
  ['csv', 'CSV'],
  ['svg', 'SVG'],
  ['png', 'PNG'],
] as const;

/** The frame of an embedded chart, which fits its content at 640 px. */
const FRAME = { width: 640, height: 600 } as const;

/** Downloads of what the chart shows, and the code that embeds it. */
export function ChartFiles({ file, query, embed }: FilesOf) {
  return (
    <div class="chart-files no-print">
      <p>
        Download:{' '}
        {FORMS.map(([suffix, name]) => (
          <a key={suffix} href={`${file}.${suffix}${query}`} download>
            {name}
            <span class="unseen"> of this chart</span>
          </a>
        ))}
      </p>
      <details>
        <summary>Embed</summary>
        <p>
          <code id="embed-code">{frameCode(embed, query)}</code>
        </p>
        <p>
          <button type="button" class="button-quiet" data-copy="embed-code" hidden>
            Copy code
          </button>{' '}
          <a href={embed.path + query}>Preview</a>
        </p>
      </details>
    </div>
  );
}

/** The element that shows the chart on another site. */
function frameCode({ baseUrl, path, title }: FilesOf['embed'], query: string): string {
  const quoted = title.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<iframe src="${baseUrl}${path}${query}" width="${FRAME.width}" height="${FRAME.height}" title="${quoted}" loading="lazy"></iframe>`;
}
