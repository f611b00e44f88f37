import { type Static, Type } from 'typebox';
import type { CertCompany } from '../../catalog/cert.ts';
import { type Connection, serviceClientOptions, settingsOf } from '../../connections.ts';
import { HEADERS, headersOf } from '../../connectors/headers.ts';
import { jsonOf, valueAt } from '../../connectors/json.ts';
import { openServiceClient, type ServiceClientWorld } from '../../http/outbound/service-client.ts';
import type { Grader, GraderAnswer } from './grader.ts';
import { badAnswer, isSameCert, joinText, readAddress, readText, readYear, unavailable } from './reading.ts';

const MAX_BYTES = 1024 * 1024;

/** A place in the answer, as a JSON pointer (RFC 6901). */
const pointer = Type.String({ pattern: '^(/([^~/]|~[01])*)+$', maxLength: 200 });
const plain = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);

const fields = Type.Object(
  {
    /** Compared with the requested number. */
    certNumber: Type.Optional(pointer),
    grade: pointer,
    subject: pointer,
    set: Type.Optional(pointer),
    cardNumber: Type.Optional(pointer),
    year: Type.Optional(pointer),
    variety: Type.Optional(pointer),
    language: Type.Optional(pointer),
    /** What the label says of the card, in one; without it that is put together from the other fields. */
    text: Type.Optional(pointer),
    imageFront: Type.Optional(pointer),
    imageBack: Type.Optional(pointer),
  },
  { additionalProperties: false },
);
type Field = keyof Static<typeof fields>;

const SETTINGS = {
  companies: Type.Array(Type.Enum(['PSA', 'BGS', 'CGC']), { minItems: 1, uniqueItems: true }),
  /** `{cert}` is the number, `{company}` the company's letters. */
  url: Type.String({ pattern: '\\{cert\\}', maxLength: 500 }),
  headers: HEADERS,
  fields,
  /** How it says that there is no such cert: by a status, or at a place of its answer (without `equals`: by nothing there). */
  unknownStatus: Type.Optional(Type.Array(Type.Integer({ minimum: 200, maximum: 499 }))),
  unknownWhen: Type.Optional(
    Type.Object({ path: pointer, equals: Type.Optional(Type.Array(plain)) }, { additionalProperties: false }),
  ),
  deactivatedWhen: Type.Optional(
    Type.Object({ path: pointer, equals: Type.Array(plain, { minItems: 1 }) }, { additionalProperties: false }),
  ),
};

type Mapping = {
  fields: Static<typeof fields>;
  unknownWhen?: { path: string; equals?: unknown[] };
  deactivatedWhen?: { path: string; equals: unknown[] };
};

/**
 * A registry of slabs that answers a GET with JSON, read by the operator's mapping: one grader for each of its companies,
 * all on one budget.
 */
export function openHttpJson(world: ServiceClientWorld, connection: Connection): Grader[] {
  const settings = settingsOf(connection, SETTINGS);
  const { url, headers = {}, unknownStatus = [404], companies } = settings;
  const client = openServiceClient(world, { ...serviceClientOptions(connection, [url]), maxBytes: MAX_BYTES });
  const sent = { accept: 'application/json', ...headersOf(connection, headers) };
  const { id, name } = connection;
  return companies.map((company) => ({
    id,
    displayName: name,
    company,
    async lookUp(certNumber, signal) {
      const filled = url
        .replaceAll('{cert}', encodeURIComponent(certNumber))
        .replaceAll('{company}', encodeURIComponent(company));
      const answer = await client.ask({ url: filled, headers: sent, signal });
      if (!answer.ok) return unavailable(name, answer);
      if (unknownStatus.includes(answer.status)) return { kind: 'unknown' };
      if (answer.status !== 200) return badAnswer(name, `It answered ${answer.status}.`);
      const value = jsonOf(answer.body);
      if (value === undefined) return badAnswer(name, 'It sent no JSON.');
      return recordOf(value, settings, { id, name, company, certNumber });
    },
  }));
}

type CertRequest = { id: string; name: string; company: CertCompany; certNumber: string };

function recordOf(value: unknown, mapping: Mapping, { id, name, company, certNumber }: CertRequest): GraderAnswer {
  const { unknownWhen, deactivatedWhen } = mapping;
  if (unknownWhen) {
    const there = valueAt(value, unknownWhen.path);
    if (unknownWhen.equals ? unknownWhen.equals.includes(there) : there == null) return { kind: 'unknown' };
  }
  const texts: Partial<Record<Field, string | null>> = {};
  for (const [field, path] of Object.entries(mapping.fields) as [Field, string][]) {
    const text = field.startsWith('image') ? null : readText(valueAt(value, path));
    if (text === undefined) return badAnswer(name, `The value at ${path} (${field}) is not text of a label.`);
    texts[field] = text;
  }
  const { grade, subject, set = null, cardNumber = null, variety = null, language = null } = texts;
  if (!grade) return badAnswer(name, `There is no grade at ${mapping.fields.grade}.`);
  if (!subject) return badAnswer(name, `There is no subject at ${mapping.fields.subject}.`);
  if (mapping.fields.certNumber && !isSameCert(texts.certNumber ?? '', certNumber))
    return badAnswer(name, 'It returned another cert.');
  const year = readYear(texts.year ?? null);
  const words = [year, set, cardNumber && `#${cardNumber}`, subject, variety, language];
  const { imageFront, imageBack } = mapping.fields;
  const front = imageFront ? readAddress(valueAt(value, imageFront)) : null;
  const back = imageBack ? readAddress(valueAt(value, imageBack)) : null;
  return {
    kind: 'found',
    record: {
      company,
      gradeText: grade,
      label: { year, setText: set ?? '', cardNumber, subject, variety, language, text: texts.text ?? joinText(words) },
      isDeactivated: deactivatedWhen?.equals.includes(valueAt(value, deactivatedWhen.path)) ?? false,
      images: front === null && back === null ? null : { front, back },
      graderId: id,
      specId: null,
      population: null,
    },
  };
}
