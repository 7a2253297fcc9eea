import type { Move } from '@gatehouse/api-types/console/moves';
import { Button } from '@gatehouse/ui/button';
import { GitCompare, Pause, Play, RotateCw } from 'lucide-react';
import type { MoveAction } from './use-move-action.ts';

/** The actions on a move in its current state. */
export function MoveActions({
  move: { state, owner, pieces, pause: paused },
  action: { pending },
  pause,
  resume,
  retry,
  compare,
  abandon,
}: {
  move: Move;
  action: MoveAction;
  pause: () => void;
  resume: () => void;
  retry: () => void;
  compare: () => void;
  abandon: () => void;
}) {
  const isPaused = state === 'paused';
  const rests = isPaused || state === 'planned' || state === 'done';
  if (!owner.is_you) {
    return (
      isPaused &&
      paused?.reason !== 'person' && (
        <Button size={28} icon={Play} variant="primary" onPress={resume}>
          Resume as your own
        </Button>
      )
    );
  }
  return (
    <>
      {state !== 'done' && state !== 'abandoned' && (
        <Button size={28} variant="ghost" onPress={abandon}>
          Abandon
        </Button>
      )}
      {(state === 'planned' || state === 'done') && (
        <Button size={28} icon={GitCompare} isPending={pending === 'compare'} onPress={compare}>
          Compare again
        </Button>
      )}
      {(rests || state === 'copying') && pieces.failed > 0 && (
        <Button size={28} icon={RotateCw} isPending={pending === 'retry'} onPress={retry}>
          Retry {pieces.failed.toLocaleString('en')} failed
        </Button>
      )}
      {(state === 'planning' || state === 'copying') && (
        <Button size={28} icon={Pause} isPending={pending === 'pause'} onPress={pause}>
          Pause
        </Button>
      )}
      {isPaused && (
        <Button size={28} icon={Play} variant="primary" isPending={pending === 'resume'} onPress={resume}>
          Resume
        </Button>
      )}
    </>
  );
}
