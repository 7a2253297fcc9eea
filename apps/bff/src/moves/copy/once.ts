/** Runs work once per key, and shares its result. After a failure the work may run again. */
export type Once<Result> = (key: string, work: () => Promise<Result>) => Promise<Result>;

export function once<Result>(): Once<Result> {
  const done = new Map<string, Promise<Result>>();
  return (key, work) => {
    const known = done.get(key);
    if (known !== undefined) return known;
    const doing = work().catch((error: unknown) => {
      done.delete(key);
      throw error;
    });
    done.set(key, doing);
    return doing;
  };
}
