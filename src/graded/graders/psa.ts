import { Type } from 'typebox';
import { isObject } from '../../catalog/formats/text.ts';
import { type Connection, secretRef, serviceClientOptions, settingsOf } from '../../connections.ts';
import { headerText } from '../../connectors/headers.ts';
import { jsonOf } from '../../connectors/json.ts';
import { openServiceClient, type ServiceClient, type ServiceClientWorld } from '../../http/outbound/service-client.ts';
import type { CertRecord, Grader, GraderAnswer } from './grader.ts';
import {
  badAnswer,
  isSameCert,
  joinText,
  readAddress,
  readCount,
  readText,
  readYear,
  type Unavailable,
  unavailable,
} from './reading.ts';

const PUBLIC_API = 'https://api.psacard.com/publicapi';
/** Of a free account, as its documentation has it. */
const CALLS_PER_DAY = 100;
/** Pictures are a second call: the last part of a day's budget is kept for slabs. */
const SHARE_KEPT_FOR_CERTS = 0.3;
const IMAGES_TIMEOUT_MS = 2500;
const MAX_BYTES = 256 * 1024;

/** Statuses by PSA's documentation and the reports of its users; not verified against the live service. */
const HINTS: Record<number, string> = {
  401: 'The token is not accepted.',
  403: 'The token is not accepted, or its account is not approved for this API.',
  429: 'The calls of the day are spent, or the token is not known: such calls count as anybody’s.',
  500: 'PSA says that this usually means wrong credentials; it may be a fault of its servers too.',
};

/**
 * PSA's public API: `GET cert/GetByCertNumber/{cert}` with a bearer token, then `cert/GetImagesByCertNumber/{cert}` while
 * more than 30% of the day's budget is left. A call is not repeated unless `tries` says so: each one counts.
 * Source: psacard.com/publicapi/documentation and its Swagger file.
 */
export function openPsa(world: ServiceClientWorld, connection: Connection): Grader {
  const { token, url = PUBLIC_API } = settingsOf(connection, {
    token: secretRef,
    url: Type.Optional(Type.String({ maxLength: 500 })),
  });
  const options = serviceClientOptions(connection, [url], { budgetPerDay: CALLS_PER_DAY, tries: 1 });
  const client = openServiceClient(world, { ...options, maxBytes: MAX_BYTES });
  const base = url.replace(/\/+$/, '');
  const authorization = headerText(connection, ['token'], `bearer ${connection.secret(token)}`);
  const headers = { authorization, accept: 'application/json' };
  const { id, name } = connection;
  const addressOf = (method: string, certNumber: string) => `${base}/cert/${method}/${encodeURIComponent(certNumber)}`;

  return {
    id,
    displayName: name,
    company: 'PSA',
    async lookUp(certNumber, signal) {
      const answer = await client.ask({ url: addressOf('GetByCertNumber', certNumber), headers, signal });
      if (!answer.ok) return unavailable(name, answer, HINTS[answer.status ?? 0]);
      const read = answerOf(certNumber, { id, name, status: answer.status, body: answer.body });
      if (read.kind !== 'found') return read;
      const images = await requestImages(client, {
        url: addressOf('GetImagesByCertNumber', certNumber),
        headers,
        signal,
      });
      return { kind: 'found', record: { ...read.record, images } };
    },
  };
}

/** An array of `{IsFrontImage, ImageURL}`, empty for slabs from before October 2021. A fault costs the cert nothing but its pictures. */
async function requestImages(
  client: ServiceClient,
  request: { url: string; headers: Record<string, string>; signal: AbortSignal },
): Promise<CertRecord['images']> {
  const leaveUnits = Math.ceil((client.budgetPerDay ?? 0) * SHARE_KEPT_FOR_CERTS);
  const answer = await client.ask({ ...request, leaveUnits, timeoutMs: IMAGES_TIMEOUT_MS });
  const value = answer.ok && answer.status === 200 ? jsonOf(answer.body) : null;
  if (!Array.isArray(value)) return null;
  const ofSide = (isFront: boolean) => {
    const one = (value as (Record<string, unknown> | null)[]).find((image) => image?.IsFrontImage === isFront);
    return readAddress(one?.ImageURL);
  };
  const images = { front: ofSide(true), back: ofSide(false) };
  return images.front === null && images.back === null ? null : images;
}

type Reply = { id: string; name: string; status: number; body: Buffer };

function answerOf(certNumber: string, { id, name, status, body }: Reply): GraderAnswer {
  if (status === 204) return badAnswer(name, 'It answered 204: no cert number reached it.');
  if (status !== 200) return badAnswer(name, `It answered ${status}: the configured address may be wrong.`);
  const value = jsonOf(body);
  if (typeof value !== 'object' || value === null) return badAnswer(name, 'It sent no JSON.');
  const { IsValidRequest, ServerMessage, PSACert, DNACert } = value as Record<string, unknown>;
  const said = typeof ServerMessage === 'string' ? ServerMessage : '';
  // Fewer digits than any of its slabs has, or other characters: no such cert.
  if (IsValidRequest === false && /cert/i.test(said)) return { kind: 'unknown' };
  if (IsValidRequest === false) return badAnswer(name, 'It calls the request invalid.');
  if (isObject(PSACert)) return cardOf(certNumber, PSACert, { id, name });
  if (isObject(DNACert)) return autographOf(certNumber, DNACert, { id, name });
  if (/no data found/i.test(said)) return { kind: 'unknown' };
  return badAnswer(name, 'It returned no cert and did not say that it has none.');
}

type Cert = Record<string, unknown>;
type PsaConnection = { id: string; name: string };

const CARD_FIELDS = [
  'CertNumber',
  'Year',
  'Brand',
  'CardNumber',
  'Subject',
  'Variety',
  'ItemStatus',
  'CardGrade',
  'GradeDescription',
  'AutographGrade',
] as const;

function cardOf(certNumber: string, cert: Cert, { id, name }: PsaConnection): GraderAnswer {
  const text = textsOf(cert, CARD_FIELDS, name);
  if ('kind' in text) return text;
  if (!isSameCert(text.CertNumber ?? '', certNumber)) return badAnswer(name, 'It returned another cert.');
  const cardGrade = gradeText(text.CardGrade, text.GradeDescription);
  // A signed card differs from the plain one: the words put it outside the priced scale.
  const isSigned = cert.IsDualCert === true || cert.IsPSADNA === true;
  const whole = isSigned ? joinText([cardGrade, 'AUTO', text.AutographGrade]) : cardGrade;
  if (whole === '') return badAnswer(name, 'It returned no grade.');
  const { Year, Brand, CardNumber, Subject, Variety } = text;
  if (Subject === null && Brand === null) return badAnswer(name, 'It returned no card.');
  const label = {
    year: readYear(Year),
    setText: Brand ?? '',
    cardNumber: CardNumber,
    subject: Subject ?? '',
    variety: Variety,
    text: joinText([Year, Brand, CardNumber && `#${CardNumber}`, Subject, Variety]),
  };
  const read = found(id, whole, label, /deactivat|\bvoid/i.test(text.ItemStatus ?? ''));
  return { kind: 'found', record: { ...read.record, ...countsOf(cert, isSigned) } };
}

/** SpecID, TotalPopulation (of the cert's grade, despite its name) and PopulationHigher; those of signed cards count others. */
function countsOf(cert: Cert, isSigned: boolean): Pick<CertRecord, 'specId' | 'population'> {
  const [specId, atGrade, higher] = [cert.SpecID, cert.TotalPopulation, cert.PopulationHigher].map(readCount);
  const isKnown = !isSigned && atGrade != null && atGrade > 0 && higher != null;
  return { specId: specId ? String(specId) : null, population: isKnown ? { atGrade, higher } : null };
}

/** A cert of PSA/DNA alone: a signature, whose item is not a card of a catalog. */
function autographOf(certNumber: string, cert: Cert, { id, name }: PsaConnection): GraderAnswer {
  const text = textsOf(cert, ['CertNumber', 'ItemDescription', 'AuthenticationResult'], name);
  if ('kind' in text) return text;
  if (!isSameCert(text.CertNumber ?? '', certNumber)) return badAnswer(name, 'It returned another cert.');
  const subject = text.ItemDescription ?? '';
  return found(id, joinText(['AUTO', text.AuthenticationResult]), { subject, text: subject }, false);
}

const NO_LABEL = { year: null, setText: '', cardNumber: null, variety: null, language: null };

function found(
  graderId: string,
  gradeText: string,
  label: Partial<CertRecord['label']> & Pick<CertRecord['label'], 'subject' | 'text'>,
  isDeactivated: boolean,
): Extract<GraderAnswer, { kind: 'found' }> {
  const record = { company: 'PSA' as const, gradeText, label: { ...NO_LABEL, ...label }, isDeactivated };
  return { kind: 'found', record: { ...record, graderId, images: null, specId: null, population: null } };
}

/** `GEM MT 10`, whether one of the two fields has all of it or each a part. */
function gradeText(number: string | null, words: string | null): string {
  if (number === null || words?.includes(number)) return words ?? '';
  return words === null || number.includes(words) ? number : `${words} ${number}`;
}

function textsOf<Name extends string>(
  cert: Cert,
  names: readonly Name[],
  grader: string,
): Record<Name, string | null> | Unavailable {
  const texts = {} as Record<Name, string | null>;
  for (const field of names) {
    const text = readText(cert[field]);
    if (text === undefined) return badAnswer(grader, `Its ${field} is not text of a label.`);
    texts[field] = text;
  }
  return texts;
}
