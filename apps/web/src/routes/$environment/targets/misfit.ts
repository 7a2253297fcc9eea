/** Finds credentials that don't fit a target's protocol. */
import type { Target } from '@gatehouse/api-types/console/targets';
import { protocolOf } from './-authorize/connect-command.ts';

/**
 * Why a credential is likely of no use for a target. Judged only where both are known: by the target's type or default
 * port, and the kind of the credential.
 */
export function misfitOf(
  target: Pick<Target, 'type' | 'attributes'>,
  source: Pick<Target['brokered_credential_sources'][number], 'credential_type' | 'cloud_role'>,
): string | undefined {
  const protocol = protocolOf(target.type, String(target.attributes.default_port ?? ''));
  if (protocol === undefined) return undefined;
  if (source.credential_type === 'ssh_private_key' && protocol.value !== 'ssh')
    return `SSH key, but the target is ${protocol.label}`;
  if (source.cloud_role !== undefined && ['ssh', 'rdp', 'redis'].includes(protocol.value))
    return `Cloud keys, but the target is ${protocol.label}`;
  return undefined;
}
