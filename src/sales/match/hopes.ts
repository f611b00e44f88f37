/** Grades that a title mentions and the card does not have: hoped for, denied, or lost when the slab was opened. */

const COMPANY = '(?:psa|bgs|bvg|beckett|cgc|sgc)';
const NUMBER = String.raw`(?:10|[1-9](?:\.5)?)\b`;

/** Filler words between the hope and the company. */
const FILLER = `(?:an?|the|be|get|gets|grade|graded|grading|at|for|to|of|in|as|come|back|from|out|off|it|hit|score|receive|is|this|all|my|gem|your|like)`;
/** "Would", "may", "will" need a verb behind: May and Will are names too. */
const MODAL = `(?:would|should|could|can|might|may|will|must|gonna|cld|shld)(?=\\s+(?:be|get|grade|come|hit|score|receive|make|land|go|easily|psa|bgs|cgc)\\b)(?:\\s+(?:make|land|go|easily))?`;
const HOPE = `(?:${MODAL}|easy|easily|sure|surely|definite(?:ly)?|potential(?:ly)?|possibl[ey]|probabl[ey]|likely|hopefully|hop(?:e|es|ing) for|candidate|like|looks?|looking|seems?|aim(?:ing|ed)?|think|(?:shot|chance|odds) (?:at|of|for)|(?:close|comparable|equivalent|compares?) to|ready|send|sent|submit|submitted|pre[- ]?grade|crack(?:ed)? (?:from|out|off))`;

const BEFORE = new RegExp(String.raw`\b${HOPE}(?:[\s,:-]+${FILLER}){0,4}[\s,:-]+${COMPANY}\b`);
const BEHIND = new RegExp(
  String.raw`\b${COMPANY}\s*(?:gem[- ]?(?:mint|mt)\s*)?(?:${NUMBER})?(?:\s*gem[- ]?(?:mint|mt))?\s*` +
    String.raw`(?:\?|(?:ready(?! (?:to|for) (?:ship|display|go))|candidate|worthy|potential|contender|quality|possible|hopeful|hopefully|bound|shot|chance|material|calib(?:er|re)|maybe|regrade|crack(?:ed)?[- ]out)\b)`,
);
const DENIED = new RegExp(
  String.raw`\b(?:not|no|isn'?t|aint|ain't)\s+(?:an?\s+)?${COMPANY}\s*(?:gem[- ]?mint\s*)?${NUMBER}`,
);
/** Words of ungraded cards; next to a grader's name they contradict it. "Raw" is a brand of wrestling too. */
const UNGRADED =
  /\b(?:(?<!not |wwe |night )raw|ungraded|(?:not|non|never|un)[- ]?graded|rcr|(?:un)?grade?able|(?:for|before|worth) grading|grade (?:it|me)|(?:grade|grading)[- ]ready|pre[- ]?grad(?:e|ed|ing)|(?:if|when|once|after) graded)\b/;

/** True when the title only hopes for the grade that it mentions, or denies it. */
export function isHoped(text: string): boolean {
  return BEFORE.test(text) || BEHIND.test(text) || DENIED.test(text);
}

/** The title without the words that state that the card is not graded; null when it has none of them. */
export function withoutUngraded(text: string): string | null {
  return UNGRADED.test(text) ? text.replace(new RegExp(UNGRADED, 'g'), ' ') : null;
}
