/** A report of a stream about a stage. */
export type StageNews = {
  stage: string;
  status: 'running' | 'ok' | 'skipped' | 'error';
  message: string;
  done?: boolean;
};

const SIGNS = { running: '…', ok: '✓', skipped: '–', error: '✕' };

/** Shows stages as a list, one line a stage with its newest report; returns the function that takes reports. */
export function followStages(list: HTMLOListElement): (news: StageNews) => void {
  const lines = new Map<string, HTMLLIElement>();
  return ({ stage, status, message }) => {
    let line = lines.get(stage);
    if (line === undefined) {
      line = document.createElement('li');
      lines.set(stage, line);
      list.append(line);
    }
    line.className = `stage stage-${status}`;
    const sign = document.createElement('span');
    sign.setAttribute('aria-hidden', 'true');
    sign.textContent = SIGNS[status];
    line.replaceChildren(sign, ` ${message}`);
  };
}
