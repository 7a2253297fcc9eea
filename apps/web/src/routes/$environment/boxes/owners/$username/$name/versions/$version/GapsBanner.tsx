import { Banner } from '@gatehouse/ui/banner';
import { gapsOf, type GridVersion } from '#routes/$environment/boxes/-version-grid/version-grid.ts';

/** What a version lacks before it is released; nothing where it lacks nothing. */
export function GapsBanner({
  version,
  versions,
}: {
  version: GridVersion;
  versions: readonly GridVersion[];
}) {
  const { last, holes, empty } = gapsOf(version, versions);
  if (holes.length === 0 && empty.length === 0) return null;
  return (
    <Banner tone="warn" title="Incomplete" announce="none">
      {holes.length > 0 && (
        <p>
          Version {last} has {listed(holes)}, and this version doesn't: machines that need{' '}
          {holes.length === 1 ? 'it' : 'one of them'} won’t get this version.
        </p>
      )}
      {empty.length > 0 && (
        <p>
          {listed(empty)} {empty.length === 1 ? 'has' : 'have'} no image yet, so clients can't download it.
        </p>
      )}
    </Banner>
  );
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en').format(names);
}
