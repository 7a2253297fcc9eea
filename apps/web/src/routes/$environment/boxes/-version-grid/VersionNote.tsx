import { providerLabel } from '@gatehouse/api-types/console/box-values';
import type { BoxVersion } from '@gatehouse/api-types/console/boxes';
import { PartsNote, type Part } from '#routes/$environment/boxes/-editing/PartsNote.tsx';
import { ProviderList } from './ProviderList.tsx';
import { StateNote } from './StateNote.tsx';

/** Lists changes of a version's state and providers while the dialog was open. */
export function VersionNote({ seen, now }: { seen: BoxVersion; now: BoxVersion }) {
  const before = new Set(seen.providers.map((one) => revisionOf(one)));
  const changed = now.providers.filter((one) => !before.has(revisionOf(one)));
  return (
    <>
      <StateNote seen={seen} now={now} />
      <PartsNote noun="Provider" seen={seen.providers.map(partOf)} now={now.providers.map(partOf)} />
      {changed.length > 0 && <ProviderList label="Current providers" isTitled providers={changed} />}
    </>
  );
}

type Provider = BoxVersion['providers'][number];

function partOf(provider: Provider): Part {
  return { name: providerLabel(provider), revision: revisionOf(provider) };
}

function revisionOf({ revision, available }: Provider): string {
  return `${revision} ${available}`;
}
