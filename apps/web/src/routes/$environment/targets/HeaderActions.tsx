import { Button, buttonClass } from '@gatehouse/ui/button';
import { IconButton } from '@gatehouse/ui/icon-button';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plug, Plus, RotateCw } from 'lucide-react';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import { placeOf, type TargetsSearch } from './targets-search.ts';

export interface HeaderActionsProps {
  search: TargetsSearch;
  /** Why no target can be created; undefined where one can. */
  cannotCreate: string | undefined;
  isLoadingAnew: boolean;
  onLoadAnew: () => void;
}

/** What can be done on the list of targets as a whole, with its shortcuts. */
export function HeaderActions({ search, cannotCreate, isLoadingAnew, onLoadAnew }: HeaderActionsProps) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const params = { environment: environment.id };
  const byName = (): void =>
    void navigate({ to: '/$environment/targets/authorize', params, search: placeOf(search) });
  useShortcut({
    keys: 'c',
    label: 'Create a target',
    group: 'Targets',
    run: () => {
      if (cannotCreate === undefined)
        void navigate({ to: '/$environment/targets/new', params, search: placeOf(search) });
    },
  });
  useShortcut({ keys: 'a', label: 'Authorize a session by name', group: 'Targets', run: byName });
  useShortcut({ keys: 'r', label: 'Load the list anew', group: 'Targets', run: onLoadAnew });
  return (
    <>
      <IconButton
        icon={RotateCw}
        label="Load the list anew"
        shortcut="r"
        isPending={isLoadingAnew}
        onPress={onLoadAnew}
      />
      <span className="hidden narrow:flex">
        <Button size={28} icon={Plug} shortcut="a" onPress={byName}>
          Authorize by name
        </Button>
      </span>
      <span className="flex narrow:hidden">
        <IconButton icon={Plug} label="Authorize by name" onPress={byName} />
      </span>
      {cannotCreate === undefined ? (
        <Link
          to="/$environment/targets/new"
          params={params}
          search={placeOf(search)}
          className={buttonClass({ variant: 'primary', size: 28 })}
        >
          New target
        </Link>
      ) : (
        <Button size={28} variant="primary" icon={Plus} disabledReason={cannotCreate}>
          New target
        </Button>
      )}
    </>
  );
}
