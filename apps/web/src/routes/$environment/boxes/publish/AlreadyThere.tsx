import { providerLabel, type ProviderImage } from '@gatehouse/api-types/console/box-values';
import type { BoxVersion } from '@gatehouse/api-types/console/boxes';
import { Banner } from '@gatehouse/ui/banner';
import { Link } from '@gatehouse/ui/link';
import type { ReactNode } from 'react';
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
  const href = boxHref({ environment, username, name: there.name });
  return <AlreadyThere title={tag} adds="a version" link={<Link href={href}>{tag}</Link>} end="." />;
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
    <AlreadyThere
      title={`Version ${version}`}
      state={status}
      adds="providers"
      link={<Link href={versionHref({ ...place, version })}>{version}</Link>}
      end={has === '' ? ', which has none yet.' : `, which has ${has}.`}
    />
  );
}

function AlreadyThere(of: { title: string; state?: string; adds: string; link: ReactNode; end: string }) {
  const { title, state = 'unreleased', adds, link, end } = of;
  return (
    <Banner tone={state === 'unreleased' ? 'info' : 'warn'} title={`${title} already exists`}>
      {state === 'active' && 'It is released. '}
      {state === 'revoked' && 'It is revoked. '}
      If you continue, you add {adds} to {link}
      {end}
    </Banner>
  );
}
