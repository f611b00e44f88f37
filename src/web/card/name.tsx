import type { ComponentChildren } from 'preact';
import { WholeDays } from '../line-breaks.tsx';
import { langOf } from './script-language.ts';

type NameOf = {
  children: string | null;
  /** Of its card; decides where signs alone do not, as those that Chinese and Japanese share. */
  language?: string | null;
};

/** A name of the catalog: isolated from the direction of its surroundings, and marked with the language of its script. */
export function Name({ children, language }: NameOf) {
  return <bdi lang={children === null ? undefined : langOf(children, language)}>{children && breakable(children)}</bdi>;
}

/** `Eustass"Captain"Kid`, `Portgas.D.Ace`: too long for a narrow column, and without a space to break at. */
const LONG_WORD = /[^\s]{12,}/;

/** A long word may break after its marks, before it has to break anywhere. */
function breakable(text: string): ComponentChildren {
  if (!LONG_WORD.test(text)) return <WholeDays>{text}</WholeDays>;
  return text
    .split(/(?<=[^\s]{2}[.",/_])(?=[^\s]{2})/)
    .flatMap((part, at) => (at === 0 ? [part] : [<wbr key={at} />, part]));
}
