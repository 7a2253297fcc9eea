import * as at from '@gatehouse/api-types/console/addresses/modules';
import type { Module, ModuleVersion } from '@gatehouse/api-types/console/modules';
import { toasts } from '@gatehouse/ui/toast';
import { useQuery } from '@tanstack/react-query';
import { ConfirmRecord } from '#components/record/ConfirmRecord.tsx';
import { useVersionChanges, type ModuleVersionPlace } from '#queries/module-changes.ts';
import { moduleConsumersQuery } from '#queries/modules.ts';
import { deleteImpacts } from './delete-impacts.ts';
import { moduleVersionKind } from './version-kind.ts';

/** Names the tokens that a deletion affects, then deletes a version with its archive after its number is typed. */
export function DeleteModuleVersion({
  place,
  module,
  version,
  onClose,
}: {
  place: ModuleVersionPlace;
  module: Module;
  version: ModuleVersion;
  onClose: (isGone: boolean) => void;
}) {
  const { remove, forget } = useVersionChanges(place);
  const consumers = useQuery(moduleConsumersQuery(place));
  const tag = `${place.name} ${version.version}`;
  const gone = (): void => {
    toasts.ok({ title: `${tag} deleted` });
    onClose(true);
    forget();
  };
  return (
    <ConfirmRecord
      kind={moduleVersionKind}
      item={version}
      title={`Delete ${tag}?`}
      confirmLabel="Delete version"
      anywayLabel="Delete it anyway"
      harm={at.moduleVersions.delete.harm}
      typedName={version.version}
      isLookingUp={consumers.isPending}
      impacts={consumers.isPending ? [] : deleteImpacts(module, version.version, consumers.data ?? null)}
      act={remove}
      onDone={gone}
      // Someone else already deleted it, so the goal is reached.
      onGone={gone}
      onCancel={() => {
        onClose(false);
      }}
    >
      <p>To keep this version available, with a warning, to configurations that use it, revoke it instead.</p>
    </ConfirmRecord>
  );
}
