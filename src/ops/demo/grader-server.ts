import { GAME_LABELS } from '../../catalog/games.ts';
import { gradeOf } from '../../catalog/grades.ts';
import { gradesOf } from './demo-market.ts';
import { type DemoItem, demoCards } from './items.ts';
import { chanceOf } from './random.ts';
import { type SimulatedServer, simulatedServer } from './simulated-server.ts';

/** Numbers that the simulated grader gave out, of each company. */
const FIRST_CERT = 90_000_001;
const LAST_CERT = 90_000_999;
const USUAL_MS = 150;
const SLOW_MS = 2000;

/**
 * Starts a grader that does not exist. It answers in the form of PSA's public API for PSA, BGS and CGC certs 90000001 to
 * 90000999: cards of the demo, the same for a number every time. Numbers ending in 99 are unknown, those in 13 were
 * deactivated, those in 7 are answered after 2 seconds.
 */
export function startDemoGrader(baseUrl: string): Promise<SimulatedServer> {
  const cards = demoCards();
  return simulatedServer((url) => {
    const [, company, number] = /^\/(PSA|BGS|CGC)\/cert\/GetByCertNumber\/(\d+)$/.exec(url.pathname) ?? [];
    if (company === undefined) return null;
    const cert = simulatedCert(cards, { company, number: Number(number), baseUrl });
    const answer =
      cert === null
        ? { ServerMessage: 'No data found' }
        : { ServerMessage: 'Request successful', PSACert: cert, DNACert: null };
    const afterMs = number!.endsWith('7') ? SLOW_MS : USUAL_MS;
    return { body: { IsValidRequest: true, ...answer }, afterMs };
  });
}

/** Its entry in the connections file of the demo. */
export function demoGraderConnection(origin: string): object {
  const at = (field: string) => `/PSACert/${field}`;
  return {
    id: 'simulated-grader',
    name: 'Simulated grader',
    kind: 'http-json',
    companies: ['PSA', 'BGS', 'CGC'],
    url: `${origin}/{company}/cert/GetByCertNumber/{cert}`,
    private: true,
    fields: {
      certNumber: at('CertNumber'),
      grade: at('GradeDescription'),
      subject: at('Subject'),
      set: at('Brand'),
      cardNumber: at('CardNumber'),
      year: at('Year'),
      variety: at('Variety'),
      text: at('Label'),
      imageFront: at('FrontImageURL'),
    },
    unknownWhen: { path: '/ServerMessage', equals: ['No data found'] },
    deactivatedWhen: { path: at('ItemStatus'), equals: ['DEACTIVATED'] },
  };
}

type CertRequest = { company: string; number: number; baseUrl: string };

/** The slab of a number in the fields of PSA's public API, or null for a number that was never issued. */
function simulatedCert(cards: readonly DemoItem[], { company, number, baseUrl }: CertRequest) {
  if (number < FIRST_CERT || number > LAST_CERT || number % 100 === 99) return null;
  const chance = chanceOf(`cert ${company} ${number}`);
  const graded = cards.filter((card) => gradesOf(card).some((grade) => grade.company === company));
  const card = chance.pick(graded.map((one) => [one, 1] as const));
  const grades = gradesOf(card).filter((grade) => grade.company === company);
  const { grade } = chance.pick(grades.map((one) => [one, one.weight] as const));
  const label = labelOf(card);
  const words = [label.Year, label.Brand, label.CardNumber && `#${label.CardNumber}`, label.Subject, label.Variety];
  return {
    CertNumber: String(number),
    ...label,
    GradeDescription: gradeWords(company, grade),
    ItemStatus: number % 100 === 13 ? 'DEACTIVATED' : '',
    // It says that it is simulated.
    Label: `${words.filter(Boolean).join(' ')} (SIMULATED)`,
    FrontImageURL: baseUrl + card.imageUrl,
  };
}

/** A card as graders write of it: capitals, game and language before the set, no accents. */
function labelOf(card: DemoItem) {
  const capitals = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();
  const game = card.game === 'sports' ? '' : GAME_LABELS[card.game];
  const language = card.language === 'English' ? '' : card.language;
  // The year of a sports set opens its name.
  const set = card.setName.replace(/^\d{4}(?:-\d\d)? /, '');
  return {
    Year: String(card.year),
    Brand: capitals([game, language, set].filter(Boolean).join(' ')),
    CardNumber: card.number ?? '',
    Subject: capitals(card.name),
    Variety: capitals(card.variation ?? ''),
  };
}

/** `MINT 9`, `GEM MINT 9.5`: the words of the company's scale, then the number. */
function gradeWords(company: string, grade: string): string {
  const { grade: named, number } = gradeOf(company, grade)!;
  return `${named.slice(String(number).length).trim()} ${number}`.trim().toUpperCase();
}
