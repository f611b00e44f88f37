import { describe, expect, test } from 'vitest';
import { contentsOf, htmlOf } from '../../../src/web/prose/markdown.ts';

const TABLE = '| rule | error |\n|---|--:|\n| our model | 11.0 |\n| last *sale* | 22.0% |\n| none | |\n';

describe('a document of the project', () => {
  test('has a heading for each row and column of a table, but not for an empty corner', () => {
    expect(htmlOf(TABLE)).toContain('<th scope="row">our model</th><td class="num">11.0</td>');
    expect(htmlOf(TABLE)).toContain('<th scope="col">rule</th><th scope="col" class="num">error</th>');
    const cornered = htmlOf('| | a |\n|---|---|\n| | 1 |\n');
    expect(cornered).toContain('<thead><tr><td></td><th scope="col">a</th></tr></thead><tbody><tr><td></td><td>1</td>');
  });

  test('draws a table below a comment as bars from 0, ours apart, and keeps the table', () => {
    const html = htmlOf(`<!-- bars: Errors: lower is better -->\n\n${TABLE}\n${TABLE}`);
    expect(html).not.toContain('<!--');
    expect(html.match(/class="bars"/g)).toHaveLength(1);
    expect(html.match(/<table>/g)).toHaveLength(2);
    expect(html).toContain('<p>Errors: lower is better</p>');
    const bars = [
      ...html.matchAll(/class="bar (bar-\w+)"><svg[^>]*><rect width="([\d.]+%)"[^>]*\/><\/svg><span>([^<]*)/g),
    ];
    expect(bars.map(([, ...bar]) => bar)).toEqual([
      ['bar-first', '50.0%', '11.0'],
      ['bar-second', '100.0%', '22.0%'],
    ]);
  });

  test('has a look for each of several series, named above the bars; the newest, or ours, is accented', () => {
    const html = htmlOf('<!-- bars: Two -->\n\n| | version 1 | version 2 |\n|---|--:|--:|\n| a | .5 | 1,000 |\n');
    expect(html).toContain('<span class="bars-series bar-second">version 1</span>');
    expect(html).toContain('<span class="bars-series bar-first">version 2</span>');
    expect(
      [...html.matchAll(/class="bar (bar-\w+)"><svg[^>]*><rect width="([\d.]+%)"/g)].map(([, ...bar]) => bar),
    ).toEqual([
      ['bar-second', '0.1%'],
      ['bar-first', '100.0%'],
    ]);
  });

  test('accents our series wherever it is', () => {
    const html = htmlOf('<!-- bars: Two -->\n\n| | our index | average |\n|---|--:|--:|\n| a | 3 | 13 |\n');
    expect(html).toContain('<span class="bars-series bar-first">our index</span>');
  });

  test('has its drawings in the page, and other pictures where they are', () => {
    const drawingOf = (href: string) => (href === 'a.svg' ? '<svg></svg>' : null);
    const html = htmlOf('![An "a"](a.svg)\n\n![b](b.png)', { drawingOf });
    expect(html).toContain('<span class="drawing" role="img" aria-label="An &#34;a&#34;"><svg></svg></span>');
    expect(html).toContain('<img src="b.png" alt="b" loading="lazy">');
  });

  test('has contents: its headings of the second level, by their anchors', () => {
    const html = htmlOf('# Title\n\n## 1. The `model` & more\n\n### Part\n\n## Limits\n');
    expect(contentsOf(html)).toEqual([
      { id: '1-the-model-more', title: '1. The model &amp; more' },
      { id: 'limits', title: 'Limits' },
    ]);
  });

  test('has addresses that break between their parts', () => {
    expect(htmlOf('`GET /v1/record/{day}?proof=1&all`')).toContain(
      '<code>GET /v1/<wbr>record/<wbr>{day}?<wbr>proof=<wbr>1&#38;<wbr>all</code>',
    );
  });
});
