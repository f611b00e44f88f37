import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds in a page, a line for each rule with its first place. The context has to bypass the content policy. */
export async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
  };
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 160)} ${nodes[0]!.failureSummary.slice(0, 200)}`,
  );
}

/**
 * Words, figures, days and amounts that are broken over lines, a trail that is cut, what scrolls and keys cannot reach, and the
 * pixels that a page is too wide.
 */
export async function layoutFaults(page: Page): Promise<{ broken: string[]; overflow: number }> {
  const broken = await page.evaluate(brokenWords);
  broken.push(
    ...(await page.evaluate(brokenWholes)),
    ...(await page.evaluate(brokenDays)),
    ...(await page.evaluate(unreachable)),
    ...(await page.evaluate(cutTrail)),
    ...(await page.evaluate(cutTables)),
  );
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return { broken, overflow };
}

/** In the page: days, amounts and numbers of cards, which stay on one line. */
function brokenWholes(): string[] {
  return [...document.querySelectorAll<HTMLElement>('time, data, .number')]
    .filter((one) => one.checkVisibility() && one.getClientRects().length > 1)
    .map((one) => one.textContent!);
}

/** In the page: days in sentences, and seasons such as `2003-04`, set on more than one line. */
function brokenDays(): string[] {
  const broken: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const parent = node.parentElement!;
    // Texts of the methodology name months such as `2026-03`.
    if (parent.closest('script, style, svg, .unseen, pre, .document') !== null || !parent.checkVisibility()) continue;
    const wholes =
      /\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?: \d{4})?\b|(?<![\d-])\d{4}-\d{2,4}(?![\d-])/g;
    for (const { 0: whole, index } of node.textContent!.matchAll(wholes)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + whole.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(whole);
    }
  }
  return broken;
}

/** In the page: what scrolls sideways, has nothing to focus in it, and is not named and focused itself. */
function unreachable(): string[] {
  return [...document.querySelectorAll<HTMLElement>('body *')]
    .filter(
      (one) =>
        one.scrollWidth > one.clientWidth + 1 &&
        /auto|scroll/.test(getComputedStyle(one).overflowX) &&
        one.checkVisibility() &&
        !(one.tabIndex >= 0 && one.hasAttribute('aria-label')) &&
        one.querySelector('a[href], button, input, select, textarea, summary, [tabindex="0"]') === null,
    )
    .map((one) => `keys do not scroll ${one.outerHTML.slice(0, 120)}`);
}

/** In the page: a trail that is wider than its line and the room for the outline of its last link. */
function cutTrail(): string[] {
  return [...document.querySelectorAll('.trail ol')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 5)
    .map(() => 'the trail is cut off');
}

/** In the page: tables that are cut off at the right. Of enlarged text they may be: they scroll. */
function cutTables(): string[] {
  if (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) > 16) return [];
  return [...document.querySelectorAll('.table-room')]
    .filter(
      ({ scrollWidth, clientWidth, parentElement }) =>
        parentElement!.closest('.scroll-x, .chart-table') === null && scrollWidth > clientWidth + 1,
    )
    .map((room) => `a table is cut off: ${room.querySelector('thead')?.textContent}`);
}

/** In the page: figures anywhere, short words of headings and names, and those of tables that are not code, set on more than one line. */
function brokenWords(): string[] {
  const broken: string[] = [];
  const isEnlarged = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) > 16;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const parent = node.parentElement!;
    if (parent.closest('script, style, svg, .unseen, code, pre') !== null || !parent.checkVisibility()) continue;
    // Of enlarged text a table scrolls, and its names may break.
    const isName = parent.closest(isEnlarged ? 'h1, h2' : 'h1, h2, .row-link, th bdi, td bdi') !== null;
    const isCell = parent.closest('td, th') !== null && parent.closest('bdi, .row-note, .row-link') === null;
    for (const { 0: word, index } of node.textContent!.matchAll(/[^\s/–—-]+/g)) {
      const isOfName = isName && /^\p{L}{2,9}$/u.test(word);
      const isFigure = /^[^\p{L}]*\d[\d.,:%]*[^\p{L}]*$/u.test(word) && word.length <= 14;
      if (!isFigure && !isOfName && !(isCell && word.length <= 14)) continue;
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) broken.push(word);
    }
  }
  return broken;
}
