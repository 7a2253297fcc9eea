import * as at from '@gatehouse/api-types/console/addresses/boxes';
import type { Box, BoxVersion } from '@gatehouse/api-types/console/boxes';
import { toasts } from '@gatehouse/ui/toast';
import { ConfirmRecord } from '#components/record/ConfirmRecord.tsx';
import { useMoveVersion } from '#queries/box-changes.ts';
import type { VersionPlace } from '#queries/boxes.ts';
import { versionKind } from '#routes/$environment/boxes/-editing/box-kinds.tsx';
import { StateNote } from '#routes/$environment/boxes/-version-grid/StateNote.tsx';
import { releasedBefore } from '#routes/$environment/boxes/-version-grid/version-grid.ts';

/** Asks for the number before revoking a released version, which can't be undone. */
export function RevokeVersion({
  place,
  box,
  version,
  onClose,
}: {
  place: VersionPlace;
  box: Box;
  version: BoxVersion;
  onClose: (isGone: boolean) => void;
}) {
  const revoke = useMoveVersion(place, 'revoke');
  const isCurrent = box.current_version === version.version;
  const next = releasedBefore(version.version, box.versions);
  return (
    <ConfirmRecord
      kind={versionKind(place)}
      item={version}
      noteOf={(seen, now) => <StateNote seen={seen} now={now} />}
      title={`Revoke ${box.tag} ${version.version} permanently?`}
      confirmLabel="Revoke version"
      anywayLabel="Revoke it anyway"
      harm={at.boxVersions.revoke.harm}
      typedName={version.version}
      impacts={[
        {
          kind: 'breaks',
          text: `Clients can no longer find version ${version.version}. Machines that use it can be created again only where it is already downloaded.`,
        },
        ...(isCurrent
          ? [
              {
                kind: 'updates-itself' as const,
                text:
                  next === undefined
                    ? "It is the only released version, so clients won't find any version of the box."
                    : `Clients that don't request a version get ${next.version} again.`,
              },
            ]
          : []),
        {
          kind: 'worth-knowing',
          text: "Revoking is final. The version can't be released again, and its number stays in use until the version is deleted.",
        },
      ]}
      act={revoke.mutateAsync}
      onDone={() => {
        toasts.ok({ title: `${box.tag} ${version.version} revoked` });
        onClose(false);
      }}
      onGone={() => {
        toasts.warn({ title: 'Not revoked', detail: 'The version has since been deleted.' });
        onClose(true);
      }}
      onCancel={() => {
        onClose(false);
      }}
    />
  );
}
