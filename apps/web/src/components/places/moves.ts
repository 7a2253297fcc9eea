/** Addresses of moves of boxes and of modules. */
import type { MoveKind } from '@gatehouse/api-types/console/move-values';

export const movesHref = (environment: string, kind: MoveKind): string => `/${environment}/${kind}/moves`;

export const newMoveHref = (environment: string, kind: MoveKind): string =>
  `${movesHref(environment, kind)}/new`;

export function moveHref(environment: string, kind: MoveKind, move: string): string {
  return `${movesHref(environment, kind)}/${encodeURIComponent(move)}`;
}
