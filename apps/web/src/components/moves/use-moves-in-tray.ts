import type { MoveSummary } from '@gatehouse/api-types/console/moves';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { usePolling } from '#lib/polling.ts';
import { movesQuery } from '#queries/moves.ts';
import { isMoving } from './move-state.ts';
import { movesInTray } from './tray-words.ts';

/**
 * The user's active moves in an environment, started in any browser. Polled only while one of them is active.
 * @param isEnabled whether the environment has a registry that moves can copy to
 */
export function useMovesInTray(environment: string, isEnabled: boolean): readonly MoveSummary[] {
  const { data: moves } = useQuery({ ...movesQuery(environment), enabled: isEnabled });
  const watched = useRef(new Set<string>());
  for (const move of moves ?? []) if (isMoving(move)) watched.current.add(move.id);
  const shown = movesInTray(moves ?? [], watched.current);
  usePolling(movesQuery(environment), 3, isEnabled && shown.some(isMoving));
  return shown;
}
