import { type MarketServer, marketServer, type ReceivedRequest, type Reply } from './market-server.ts';

/** A cert as PSA's public API describes it; fields that no test reads are left out. */
export type PsaCert = {
  CertNumber: string;
  Year?: string;
  Brand?: string;
  Category?: string;
  CardNumber?: string;
  Subject?: string;
  Variety?: string;
  CardGrade?: string;
  GradeDescription?: string;
  IsPSADNA?: boolean;
  IsDualCert?: boolean;
  AutographGrade?: string;
  SpecID?: number;
  TotalPopulation?: number;
  PopulationHigher?: number;
  ItemStatus?: string;
};

export type PsaServer = MarketServer & {
  /** Paths requested, in order. */
  paths(): string[];
};

/**
 * A loopback server that speaks the format of PSA's public API as its documentation has it: 500 for a wrong token, 204
 * without a number, `Invalid CertNo`, `No data found`, an array of images.
 */
export async function psaServer(options: {
  token: string;
  certs: readonly PsaCert[];
  images?: Readonly<Record<string, readonly { IsFrontImage: boolean; ImageURL: string }[]>>;
}): Promise<PsaServer> {
  const server = await marketServer((received) => psaReply(received, options));
  return { ...server, paths: () => server.received.map(({ path }) => path) };
}

function psaReply(
  { path, headers }: ReceivedRequest,
  { token, certs, images = {} }: Parameters<typeof psaServer>[0],
): NonNullable<Reply> {
  if (headers.authorization !== `bearer ${token}`) return { status: 500 };
  const [, method, number = ''] = /^\/publicapi\/cert\/(\w+)\/?([^/]*)$/.exec(path) ?? [];
  if (method === 'GetImagesByCertNumber') return { body: images[number] ?? [] };
  if (method !== 'GetByCertNumber') return { status: 404 };
  if (number === '') return { status: 204 };
  if (!/^\d{7,}$/.test(number)) return { body: { IsValidRequest: false, ServerMessage: 'Invalid CertNo' } };
  const cert = certs.find(({ CertNumber }) => CertNumber === number);
  if (cert === undefined) return { body: { IsValidRequest: true, ServerMessage: 'No data found' } };
  return { body: { IsValidRequest: true, ServerMessage: 'Request successful', PSACert: cert, DNACert: null } };
}
