import { isUtf8 } from 'node:buffer';
import { onlyPart } from '../../http/body/upload.ts';
import { ProblemError } from '../../http/problem.ts';
import { EXPORT_NAMES } from '../../lists/list-exports.ts';
import { MAX_LINES } from '../../lists/list-lines.ts';
import { readPastedList } from '../../lists/read-csv-list.ts';
import { valueList } from '../../lists/value-list.ts';
import type { WebContext } from '../context.ts';
import { count } from '../format.ts';
import { Notice } from '../forms/field.tsx';
import type { PageForm } from '../forms/form.ts';
import type { PageContent } from '../layout.tsx';
import type { Page } from '../page.ts';
import { WorthResult } from './worth-result.tsx';

const PATH = '/worth';
const FILE_PATH = '/worth/file';
/** Of a list; a form escapes it to at most three times as much. */
const MAX_TEXT_BYTES = 2 ** 20;
const DESCRIPTION = 'Paste a list of cards, or send a file, and see what each card and the whole list are worth.';

/** `/worth`: a list in, its worth out. Nothing of the list is kept. */
export const worth: Page = {
  path: PATH,
  maxAgeSeconds: 3600,
  answer: () => formPage('', null),
};

/** The form with the list as text. */
export const worthOfText: PageForm = {
  path: PATH,
  policy: 'site',
  maxBytes: 3 * MAX_TEXT_BYTES,
  submit: (context, { typed }) => resultOf(context, typed.list ?? ''),
};

/** The form with the list as a file. */
export const worthOfFile: PageForm = {
  path: FILE_PATH,
  policy: 'site',
  upload: { part: 'file', maxParts: 1 },
  submit: async (context, { upload }) => resultOf(context, textOf(await onlyPart(upload()))),
};

/** Spreadsheets save UTF-8, UTF-16 or Windows-1252; what is not text is an empty list. */
function textOf(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = new TextDecoder(isUtf16 ? 'utf-16le' : isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes);
  return text.includes('\0') ? '' : text;
}

async function resultOf(context: WebContext, text: string): Promise<PageContent> {
  if (Buffer.byteLength(text) > MAX_TEXT_BYTES) return formPage('', 'The list is larger than 1 MB.');
  try {
    const lines = readPastedList(text);
    if (lines.length === 0) return formPage('', 'The list is empty, or the file is not a text.');
    const list = await valueList(context, lines);
    return {
      ...formPage(text, null),
      main: <WorthResult lines={lines} list={list} form={<WorthForms text={text} />} />,
    };
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'invalid_parameter') throw error;
    return formPage(text, error.message);
  }
}

function formPage(text: string, fault: string | null): PageContent {
  return {
    title: 'What is your list worth?',
    description: DESCRIPTION,
    path: PATH,
    isHidden: text !== '' || fault !== null,
    main: (
      <div class="wrap form-page">
        <div class="page-head prose">
          <h1>What is your list worth?</h1>
          <p class="lead">{DESCRIPTION}</p>
        </div>
        {fault !== null && <Notice kind="fault">{fault}</Notice>}
        <WorthForms text={text} />
      </div>
    ),
  };
}

function WorthForms({ text }: { text: string }) {
  return (
    <div class="no-print">
      <form method="post" action={PATH} class="form" aria-label="List as text">
        <div class="field">
          <label for="list">Your list</label>
          <p id="list-hint" class="field-hint">
            One card a line, as a listing has it, such as <q>2x Pokémon Base Set Charizard 4/102 PSA 9</q>. Or CSV with
            a header: columns <code>id</code>, <code>href</code>, <code>cert</code>, <code>title</code>,{' '}
            <code>company</code>, <code>grade</code>, <code>quantity</code>, or an export of {EXPORT_NAMES.join(', ')}.
            At most {count(MAX_LINES)} lines. Your list is not kept.
          </p>
          <textarea id="list" name="list" rows={10} required aria-describedby="list-hint">
            {text}
          </textarea>
        </div>
        <button type="submit">Value the list</button>
      </form>
      <form method="post" action={FILE_PATH} enctype="multipart/form-data" class="form" aria-label="List as a file">
        <div class="field">
          <label for="file">Or a file</label>
          <input id="file" name="file" type="file" accept=".csv,.txt,.tsv,text/csv,text/plain" required />
        </div>
        <button type="submit">Value the file</button>
      </form>
    </div>
  );
}
