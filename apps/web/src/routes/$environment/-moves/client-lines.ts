/** What clients need to fetch from here. */
import type { Move } from '@gatehouse/api-types/console/moves';
import { hostOf } from '#components/moves/move-state.ts';
import { ownerHere } from './choice.ts';

/** Undefined if the local registry's address is unknown. */
export function clientLines({
  kind,
  server_url: server,
  source,
  found,
  choice,
}: Pick<Move, 'kind' | 'server_url' | 'source' | 'found' | 'choice'>):
  | { readonly about: string; readonly label: string; readonly code: string }
  | undefined {
  if (server === null) return undefined;
  if (kind === 'boxes') {
    return {
      about: 'Point Vagrant to this registry on each machine and in CI.',
      label: 'Shell',
      code: `export VAGRANT_SERVER_URL=${server}`,
    };
  }
  const [owner = 'NAMESPACE'] = found.owners;
  const host = hostOf(server);
  return {
    about: 'Change the source of each module block to this registry.',
    label: 'Terraform',
    code: [
      'module "NAME" {',
      `  # was ${hostOf(source.address)}/${owner}/NAME/PROVIDER`,
      `  source = "${host}/${ownerHere(choice.owners, owner)}/NAME/PROVIDER"`,
      '}',
    ].join('\n'),
  };
}
