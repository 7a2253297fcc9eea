import { providerLabel } from '@gatehouse/api-types/console/box-values';
import type { BoxVersion } from '@gatehouse/api-types/console/boxes';
import { PartsNote, type Part } from '#routes/$environment/boxes/-editing/PartsNote.tsx';
import { StateNote } from './StateNote.tsx';

/** Says what became of a version's state and providers while one was asked about it. */
export function VersionNote({ seen, now }: { seen: BoxVersion; now: BoxVersion }) {
  return (
    <>
      <StateNote seen={seen} now={now} />
      <PartsNote noun="Provider" seen={seen.providers.map(partOf)} now={now.providers.map(partOf)} />
    </>
  );
}

function partOf({ revision, available, ...provider }: BoxVersion['providers'][number]): Part {
  return { name: providerLabel(provider), revision: `${revision} ${available}` };
}
