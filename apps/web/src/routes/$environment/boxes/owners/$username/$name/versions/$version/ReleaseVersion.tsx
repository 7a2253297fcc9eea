import { boxVersions } from '@gatehouse/api-types/console/addresses/boxes';
import type { Box, BoxVersion } from '@gatehouse/api-types/console/boxes';
import { toasts } from '@gatehouse/ui/toast';
import { useState } from 'react';
import { ConfirmRecord } from '#components/record/ConfirmRecord.tsx';
import { useMoveVersion } from '#queries/box-changes.ts';
import type { VersionPlace } from '#queries/boxes.ts';
import { versionKind } from '#routes/$environment/boxes/-editing/box-kinds.tsx';
import { ProviderList } from '#routes/$environment/boxes/-version-grid/ProviderList.tsx';
import { harmOfRelease, releaseImpacts } from '#routes/$environment/boxes/-version-grid/release-impacts.ts';
import { releasedBefore } from '#routes/$environment/boxes/-version-grid/version-grid.ts';
import { VersionGrid } from '#routes/$environment/boxes/-version-grid/VersionGrid.tsx';
import { VersionNote } from '#routes/$environment/boxes/-version-grid/VersionNote.tsx';

/** Compares the version with the current release before releasing it. */
export function ReleaseVersion({
  place,
  box,
  version: given,
  onClose,
}: {
  place: VersionPlace;
  box: Box;
  version: BoxVersion;
  onClose: (isGone: boolean) => void;
}) {
  // As it was when the dialog opened.
  const [version] = useState(given);
  const release = useMoveVersion(place, 'release');
  const before = releasedBefore(version.version, box.versions);
  return (
    <ConfirmRecord
      kind={versionKind(place)}
      item={version}
      revisionOf={({ whole_revision }) => whole_revision}
      noteOf={(seen, now) => <VersionNote seen={seen} now={now} />}
      title={`Release ${box.tag} ${version.version}?`}
      harm={harmOfRelease(boxVersions.release.harm, box.current_version)}
      typedName={version.version}
      confirmLabel="Release version"
      anywayLabel="Release it anyway"
      tone="primary"
      size="large"
      impacts={releaseImpacts(version, box.versions, box.current_version)}
      act={release.mutateAsync}
      onDone={() => {
        toasts.ok({ title: `${box.tag} ${version.version} released` });
        onClose(false);
      }}
      onGone={() => {
        toasts.warn({ title: 'Not released', detail: 'The version has since been deleted.' });
        onClose(true);
      }}
      onCancel={() => {
        onClose(false);
      }}
    >
      <div className="overflow-hidden rounded-control border border-line">
        <VersionGrid
          label="This version and the previous one"
          versions={before === undefined ? [version] : [version, before]}
          current={version.version}
        />
      </div>
      <ProviderList label="What clients get" isTitled providers={version.providers} />
    </ConfirmRecord>
  );
}
