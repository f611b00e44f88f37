/** Runs work one after another, in the order given; what fails does not stop what follows. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** Turns of which nothing has begun. A caller may await the result late: until then its failure is not reported. */
export function newTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}

/** Work whose failure is met where it is awaited, and does not end the process before. */
export function awaitedLater<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}
