import { type ListedRow, listRejected } from '../../sales/rejected.ts';
import { rejectionWords } from '../card/card-words.ts';
import { Table, type TableColumn } from '../table.tsx';
import { type DeskContent, Nothing, Pager } from './desk-page.tsx';
import { type DeskView, wholeIn } from './desk-view.ts';
import { PAGE_ROWS } from './desk-world.ts';

/** `rejected`: rows that are in no price, with their file and line; `?import=` those of one import. */
export async function rejectedRows(view: DeskView): Promise<DeskContent> {
  const importId = wholeIn(view.query, 'import', null);
  const offset = wholeIn(view.query, 'offset', 0);
  const rows = await listRejected(view.world.db, PAGE_ROWS + 1, { importId, offset });
  const path = `${view.base}rejected?${importId === null ? '' : `import=${importId}&`}`;
  const columns: TableColumn<ListedRow>[] = [
    {
      head: 'Import',
      cell: ({ importId: id }) => <a href={`${view.base}imports?id=${id}`}>{id}</a>,
    },
    {
      head: 'Reason',
      isName: true,
      cell: ({ reason }) => (
        <>
          {rejectionWords(reason)}
          <span class="row-note">{reason}</span>
        </>
      ),
    },
    {
      head: 'Row',
      cell: ({ row, file, line }) => (
        <>
          <span class="desk-row">{row.slice(0, SHOWN_CHARS)}</span>
          <span class="row-note">
            {file !== null && `${file}, `}line {line}
          </span>
        </>
      ),
    },
  ];
  return {
    title: importId === null ? 'Rejected rows' : `Rejected rows of import ${importId}`,
    main: (
      <>
        <p class="muted">
          Rows that could not be read, and recorded sales that a rule keeps out. Mend the file and import it again: rows
          that are known already change nothing. A whole import that was wrong can be undone.
        </p>
        {rows.length === 0 ? (
          <Nothing>No row is rejected{offset > 0 && ' after these'}.</Nothing>
        ) : (
          <Table columns={columns} rows={rows.slice(0, PAGE_ROWS)} />
        )}
        <Pager
          first={offset === 0 ? null : path.slice(0, -1)}
          next={rows.length > PAGE_ROWS ? `${path}offset=${offset + PAGE_ROWS}` : null}
        />
      </>
    ),
  };
}

const SHOWN_CHARS = 300;
