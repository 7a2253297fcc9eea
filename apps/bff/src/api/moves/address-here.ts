import { trimEndSlashes } from '@gatehouse/service-kit/trim-slashes';
import type { Context } from '#operation/context.ts';
import type { MoveRow } from '#store/schema.ts';
import { serverUrl } from '#upstreams/box-registry/resources.ts';

type MoveHere = Pick<MoveRow, 'environment' | 'kind'>;

/** The address that clients use for this registry; null if it is their default, or unknown. */
export function serverHere({ directory }: Context, { environment, kind }: MoveHere): string | null {
  if (kind === 'boxes') return serverUrl(directory.boxes(environment));
  return directory.modules(environment).clientUrl?.host ?? null;
}

/** Returns the address of each copied image or module version; empty if the registry's address is unknown. */
export function pieceHere(
  context: Context,
  move: MoveHere,
): (at: {
  readonly item: string;
  readonly version: string;
  readonly provider: string;
  readonly architecture: string;
}) => string {
  const { directory } = context;
  if (move.kind === 'modules') {
    const host = serverHere(context, move);
    return ({ item, version }) => (host === null ? '' : `${host}/${item}?version=${version}`);
  }
  const base = trimEndSlashes(directory.boxes(move.environment).clientUrl?.href ?? '');
  return ({ item, version, provider, architecture }) => {
    if (base === '') return '';
    const [owner = '', name = ''] = item.split('/');
    const names = [
      owner,
      'boxes',
      name,
      'versions',
      version,
      'providers',
      provider,
      architecture,
      'vagrant.box',
    ];
    return [base, ...names.map(encodeURIComponent)].join('/');
  };
}
