import { langOf } from './script-language.ts';

type NameOf = {
  children: string | null;
  /** Of its card; decides where signs alone do not, as those that Chinese and Japanese share. */
  language?: string | null;
};

/** A name of the catalog: isolated from the direction of its surroundings, and marked with the language of its script. */
export function Name({ children, language }: NameOf) {
  return <bdi lang={children === null ? undefined : langOf(children, language)}>{children}</bdi>;
}
