import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { NoMatches } from '@gatehouse/ui/empty-state';
import { Failure } from '#components/errors/Failure.tsx';
import { wordsOf } from '#lib/error-words.ts';

export interface ListFailureProps {
  error: unknown;
  /** The filter expression is what was refused; its field says why. */
  isFilterRefused: boolean;
  /** How many targets are shown all the same. */
  loaded: number;
  onClearFilter: () => void;
  onRetry: () => void;
}

/** Why the list is not there, or not whole, and what to do about it. */
export function ListFailure({ error, isFilterRefused, loaded, onClearFilter, onRetry }: ListFailureProps) {
  if (isFilterRefused) {
    return (
      <NoMatches
        title="The filter expression is not accepted. Mend it above."
        action={
          <Button size={28} onPress={onClearFilter}>
            Clear the filter
          </Button>
        }
      />
    );
  }
  if (loaded === 0) return <Failure error={error} onRetry={onRetry} />;
  return (
    <Banner
      tone="warn"
      title={`Loading stopped after ${loaded.toLocaleString('en')} targets`}
      actions={
        <Button size={28} onPress={onRetry}>
          Go on
        </Button>
      }
    >
      {wordsOf(error).detail}
    </Banner>
  );
}
