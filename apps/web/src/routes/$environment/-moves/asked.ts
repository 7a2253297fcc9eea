import type { Move } from '@gatehouse/api-types/console/moves';

/** What needs to read the source again. */
export interface Asked {
  /** `Resume this move?` */
  readonly title: string;
  readonly label: string;
  /** Does it with a token of the source; empty for none. */
  readonly act: (token: string) => Promise<unknown>;
}

/** Whether the source has to be asked for a token before something is read of it. */
export function asksForToken({ source, pause, owner }: Move): boolean {
  return (source.used_token && !source.has_token) || pause?.reason === 'source-token' || !owner.is_you;
}
