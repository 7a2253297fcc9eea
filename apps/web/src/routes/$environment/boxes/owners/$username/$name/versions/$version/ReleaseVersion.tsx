import { compareVersions } from '@gatehouse/api-types/console/box-values';
import type { Box, BoxVersion } from '@gatehouse/api-types/console/boxes';
import type { Impact } from '@gatehouse/ui/confirm-dialog';
import { toasts } from '@gatehouse/ui/toast';
import { ConfirmRecord } from '#components/record/ConfirmRecord.tsx';
import { useMoveVersion } from '#queries/box-changes.ts';
import type { VersionPlace } from '#queries/boxes.ts';
import { versionKind } from '#routes/$environment/boxes/-editing/box-kinds.tsx';
import { releasedBefore } from '#routes/$environment/boxes/-version-grid/version-grid.ts';
import { VersionGrid } from '#routes/$environment/boxes/-version-grid/VersionGrid.tsx';
import { releaseImpacts } from './release-impacts.ts';
import { StateNote } from './StateNote.tsx';

/** Shows the version beside the one that clients have now, then releases it. */
export function ReleaseVersion({
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
  const release = useMoveVersion(place, 'release');
  const before = releasedBefore(version.version, box.versions);
  const isNewest = box.current_version === null || compareVersions(box.current_version, version.version) < 0;
  const impacts: readonly Impact[] = releaseImpacts(version, box.versions, isNewest);
  return (
    <ConfirmRecord
      kind={versionKind(place)}
      item={version}
      noteOf={(seen, now) => <StateNote seen={seen} now={now} />}
      title={`Release ${box.tag} ${version.version}?`}
      confirmLabel="Release version"
      anywayLabel="Release it anyway"
      tone="primary"
      size="large"
      impacts={impacts}
      act={release.mutateAsync}
      onDone={() => {
        toasts.ok({ title: `${box.tag} ${version.version} released` });
        onClose(false);
      }}
      onGone={() => {
        toasts.warn({ title: 'Not released', detail: 'The version was deleted meanwhile.' });
        onClose(true);
      }}
      onCancel={() => {
        onClose(false);
      }}
    >
      <div className="overflow-hidden rounded-control border border-line">
        <VersionGrid
          label="This version beside the one before"
          versions={before === undefined ? [version] : [version, before]}
          current={version.version}
        />
      </div>
    </ConfirmRecord>
  );
}
