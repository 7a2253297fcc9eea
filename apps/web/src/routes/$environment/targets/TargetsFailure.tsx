import { Button } from '@gatehouse/ui/button';
import { NoMatches } from '@gatehouse/ui/empty-state';
import { ListFailure } from '#components/list/ListFailure.tsx';

export interface TargetsFailureProps {
  error: unknown;
  /** The filter expression is what was refused; its field says why. */
  isFilterRefused: boolean;
  /** How many targets are shown all the same. */
  loaded: number;
  onClearFilter: () => void;
  onRetry: () => void;
}

/** Why the list is not there, or not whole, and what to do about it. */
export function TargetsFailure({ isFilterRefused, onClearFilter, ...failure }: TargetsFailureProps) {
  if (isFilterRefused) {
    return (
      <NoMatches
        title="The filter expression wasn't accepted. Correct it above."
        action={
          <Button size={28} onPress={onClearFilter}>
            Clear the filter
          </Button>
        }
      />
    );
  }
  return (
    <ListFailure
      {...failure}
      title={`Loading stopped after ${failure.loaded.toLocaleString('en')} targets`}
      retryLabel="Continue"
    />
  );
}
