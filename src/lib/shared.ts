/**
 * A reading that many ask for at the same moment, made once for all of them: who asks while it is under way waits for the
 * same answer. Nothing is kept beyond that.
 */
export function sharedReading<From extends object, Result>(
  read: (from: From) => Promise<Result>,
): (from: From) => Promise<Result> {
  const underWay = new WeakMap<From, Promise<Result>>();
  return (from) => {
    let reading = underWay.get(from);
    if (reading === undefined) {
      reading = read(from).finally(() => underWay.delete(from));
      underWay.set(from, reading);
    }
    return reading;
  };
}
