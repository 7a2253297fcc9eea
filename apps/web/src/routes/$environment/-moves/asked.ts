import type { Move } from '@gatehouse/api-types/console/moves';

/** An action that reads the source again. */
export interface Asked {
  /** `Resume this move?` */
  readonly title: string;
  readonly label: string;
  /** Runs the action with the source's token; empty for none. */
  readonly act: (token: string) => Promise<unknown>;
}

/** Whether an action that reads the source needs its token first. */
export function asksForToken({ source, pause, owner }: Move): boolean {
  return (source.used_token && !source.has_token) || pause?.reason === 'source-token' || !owner.is_you;
}
