import type { Static, TObject } from 'typebox';

/** The API as tools call it: the routes of one installation, in the name of one caller. */
export type ToolApi = {
  /** Address of its pages, without a slash at the end. */
  baseUrl: string;
  /** The body of an answer. Throws ApiProblem for every other answer, and for none in time. */
  get<Body>(path: string): Promise<Body>;
  post<Body>(path: string, body: object): Promise<Body>;
};

/** What the API answered instead; the message is for the person who asked. */
export class ApiProblem extends Error {
  override name = 'ApiProblem';
  /** The code of the problem document; null where the answer was something else. */
  readonly code: string | null;
  constructor(message: string, code: string | null = null) {
    super(message);
    this.code = code;
  }
}

/** A tool that reads, and changes nothing. Its answer is checked against nothing but its type: tests hold it to `output`. */
export type Tool<Input extends TObject = TObject, Output extends TObject = TObject> = {
  name: string;
  title: string;
  /** What it answers, for a language model. */
  description: string;
  input: Input;
  output: Output;
  /** Throws ApiProblem. */
  call(api: ToolApi, sent: Static<Input>): Promise<Static<Output>>;
};

/** Declares a tool; it exists to infer the types of its input and output. */
export function tool<Input extends TObject, Output extends TObject>(made: Tool<Input, Output>): Tool<Input, Output> {
  return made;
}

/** A query string of what is set, with its question mark. */
export function queryOf(values: Record<string, string | number | undefined>): string {
  const set = Object.entries(values).filter((one): one is [string, string | number] => one[1] !== undefined);
  return set.length === 0 ? '' : `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)]))}`;
}
