import { Button } from '@gatehouse/ui/button';
import { EmptyState, NoMatches } from '@gatehouse/ui/empty-state';
import { TargetIcon } from '@gatehouse/ui/icon';
import { shellWord } from '#components/form/as-code.ts';
import { CreateButton, type ListCreate } from '#components/list/ListCreate.tsx';
import { isListable, placeOf, type TargetsSearch } from './targets-search.ts';

/** The empty state of the list: why, and what to do. */
export function NoTargets({
  search,
  scope,
  create,
  isLoading,
  onClear,
  onRecursive,
  onWhy,
}: {
  search: TargetsSearch;
  /** The name of the chosen scope; undefined for all. */
  scope: string | undefined;
  create: ListCreate;
  isLoading: boolean;
  onClear: () => void;
  onRecursive: () => void;
  /** Opens *why not?* for the current search. */
  onWhy: () => void;
}) {
  if (!isListable(search)) {
    return (
      <NoMatches
        title="Targets belong to projects. This scope has none of its own."
        action={
          <Button size={28} onPress={onRecursive}>
            Include scopes below
          </Button>
        }
      />
    );
  }
  if (search.q !== undefined || search.filter !== undefined) {
    const matched = search.q === undefined ? 'the filter expression' : `"${search.q}"`;
    const what = scope === undefined ? matched : `${matched} in ${scope}`;
    return (
      <NoMatches
        title={isLoading ? `No matches for ${what} yet. Still loading targets.` : `No targets match ${what}.`}
        action={
          <span className="flex flex-wrap justify-center gap-2">
            <Button size={28} onPress={onClear}>
              Clear
            </Button>
            <Button size={28} variant="ghost" onPress={onWhy}>
              Why is a target missing?
            </Button>
          </span>
        }
      />
    );
  }
  const place = placeOf(search);
  return (
    <EmptyState
      icon={TargetIcon}
      title={search.scope === undefined ? 'No targets you can see' : 'No targets you can see in this scope'}
      command={`boundary targets create tcp -scope-id ${shellWord(place.scope ?? 'p_1234567890')} -name db -default-port 5432 -address db.internal`}
      action={<CreateButton create={create} label="Create the first target" size={32} />}
    >
      A target is a machine or service that users open sessions to.
    </EmptyState>
  );
}
