/** Who fetches a module, those first who have to act. */

interface Consumer {
  readonly token: string;
  readonly behind: number;
  readonly last_fetched_time: string;
}

/** Those that are furthest behind first; among them who fetched last. */
export function staleFirst<One extends Consumer>(consumers: readonly One[]): readonly One[] {
  return consumers.toSorted(
    (a, b) =>
      b.behind - a.behind || compare(b.last_fetched_time, a.last_fetched_time) || compare(a.token, b.token),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
