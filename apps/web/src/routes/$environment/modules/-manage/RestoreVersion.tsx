import type { ModuleVersion } from '@gatehouse/api-types/console/modules';
import { toasts } from '@gatehouse/ui/toast';
import { ConfirmRecord } from '#components/record/ConfirmRecord.tsx';
import { useVersionChanges, type ModuleVersionPlace } from '#queries/module-changes.ts';
import { moduleVersionKind } from './version-kind.ts';

/** Shows a version's deprecation notice, then removes it. */
export function RestoreVersion({
  place,
  version,
  onClose,
}: {
  place: ModuleVersionPlace;
  version: ModuleVersion;
  onClose: (isGone: boolean) => void;
}) {
  const { restore, forget } = useVersionChanges(place);
  const tag = `${place.name} ${version.version}`;
  return (
    <ConfirmRecord
      kind={moduleVersionKind}
      item={version}
      title={`Restore ${tag}?`}
      confirmLabel="Restore version"
      anywayLabel="Restore it anyway"
      tone="primary"
      harm={undefined}
      typedName={version.version}
      act={restore}
      onDone={() => {
        toasts.ok({ title: `${tag} restored` });
        onClose(false);
      }}
      onGone={() => {
        forget();
        toasts.warn({ title: `${tag} has been deleted` });
        onClose(true);
      }}
      onCancel={() => {
        onClose(false);
      }}
    >
      {version.deprecation !== null && (
        <blockquote className="mb-2 border-s-2 border-line ps-3 whitespace-pre-wrap wrap-anywhere">
          {version.deprecation.message}
        </blockquote>
      )}
      <p>
        The warning is removed
        {version.deprecation?.state === 'revoked' && ', and the version can be the latest again'}.
      </p>
    </ConfirmRecord>
  );
}
