import { providerLabel, type ProviderImage } from '@gatehouse/api-types/console/box-values';
import type { BoxVersion } from '@gatehouse/api-types/console/boxes';
import { Banner } from '@gatehouse/ui/banner';
import { Link } from '@gatehouse/ui/link';
import { versionHref, boxHref } from '#components/places/boxes.ts';
import type { BoxPlace } from '#queries/boxes.ts';

/** Says while a name is entered that its box exists. */
export function BoxAlreadyThere({
  place: { environment, username },
  name,
  boxes,
}: {
  place: Pick<BoxPlace, 'environment' | 'username'>;
  name: string;
  boxes: readonly { readonly name: string }[];
}) {
  const there = boxes.find((box) => box.name.toLowerCase() === name.trim().toLowerCase());
  if (there === undefined) return null;
  const tag = `${username}/${there.name}`;
  return (
    <Banner tone="info" title={`${tag} already exists`}>
      If you continue, you add a version to{' '}
      <Link href={boxHref({ environment, username, name: there.name })}>{tag}</Link>.
    </Banner>
  );
}

/** Says while a number is entered that its version exists. */
export function VersionAlreadyThere({
  place,
  number,
  versions,
}: {
  place: BoxPlace;
  number: string;
  versions: readonly (Pick<BoxVersion, 'version' | 'status'> & {
    readonly providers: readonly ProviderImage[];
  })[];
}) {
  const there = versions.find(({ version }) => version === number.trim());
  if (there === undefined) return null;
  const { version, status, providers } = there;
  const has = providers.map(providerLabel).join(', ');
  return (
    <Banner tone={status === 'unreleased' ? 'info' : 'warn'} title={`Version ${version} already exists`}>
      {status === 'active' && 'It is released. '}
      {status === 'revoked' && 'It is revoked. '}
      If you continue, you add providers to <Link href={versionHref({ ...place, version })}>{version}</Link>
      {has === '' ? ', which has none yet.' : `, which has ${has}.`}
    </Banner>
  );
}
