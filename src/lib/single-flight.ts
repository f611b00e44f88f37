/** Single-flight: concurrent callers share one read under way; nothing is cached afterwards. */
export function singleFlight<From extends object, Result>(
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
