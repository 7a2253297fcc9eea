/** Tokens that download a module, ordered by urgency. */

/** One version downloaded by one token. */
export interface ModuleConsumer {
  readonly token_id: string;
  readonly token: string;
  readonly owner: string;
  readonly version: string;
  readonly downloads: number;
  readonly last_fetched_time: string;
  /** The number of newer versions that aren't revoked. */
  readonly behind: number;
}

/** A token with its last downloaded version. */
export interface TokenUse extends ModuleConsumer {
  /** Versions downloaded before, most recent first. */
  readonly earlier: readonly string[];
}

/** One entry for each token, furthest behind first, then by most recent download. */
export function staleFirst(consumers: readonly ModuleConsumer[]): readonly TokenUse[] {
  const byToken = Map.groupBy(consumers, ({ token_id: id }) => id);
  const uses = [...byToken.values()].flatMap((fetches): TokenUse[] => {
    const [last, ...before] = fetches.toSorted((a, b) => compare(b.last_fetched_time, a.last_fetched_time));
    if (last === undefined) return [];
    return [
      {
        ...last,
        downloads: fetches.reduce((sum, { downloads }) => sum + downloads, 0),
        earlier: before.map(({ version }) => version),
      },
    ];
  });
  return uses.toSorted(
    (a, b) =>
      b.behind - a.behind || compare(b.last_fetched_time, a.last_fetched_time) || compare(a.token, b.token),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
