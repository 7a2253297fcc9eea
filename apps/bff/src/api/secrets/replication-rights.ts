import type { ReplicationMay } from '@gatehouse/api-types/console/replication-status';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { replicationPolicyPath } from '#upstreams/secrets-server/replication.ts';
import { allows, readCapabilities } from '#upstreams/secrets-server/system.ts';

interface Right {
  readonly at: string;
  /** Capabilities of which any one is enough. */
  readonly words: readonly string[];
  /** Whether `sudo` is required as well. */
  readonly sudo?: true;
}

/** The path and capabilities that each action requires. */
const rights: Readonly<Record<keyof NonNullable<ReplicationMay>, Right>> = {
  enable_primary: writes('primary', 'enable'),
  demote: writes('primary', 'demote'),
  disable_primary: writes('primary', 'disable'),
  create_token: { ...writes('primary', 'secondary-token'), sudo: true },
  revoke: writes('primary', 'revoke-secondary'),
  read_filter: { at: replicationPolicyPath('primary', 'paths-filter', 'any'), words: ['read'] },
  save_filter: writes('primary', 'paths-filter', 'any'),
  delete_filter: { at: replicationPolicyPath('primary', 'paths-filter', 'any'), words: ['delete'] },
  enable_secondary: writes('secondary', 'enable'),
  promote: writes('secondary', 'promote'),
  disable_secondary: writes('secondary', 'disable'),
  update_primary: writes('secondary', 'update-primary'),
  read_digest: { at: replicationPolicyPath('digest'), words: ['read'] },
  write_canary: writes('canary'),
  read_transitions: { at: replicationPolicyPath('transitions'), words: ['read'] },
  read_lost_writes: { at: replicationPolicyPath('lost'), words: ['read'] },
  delete_lost_writes: { at: replicationPolicyPath('lost'), words: ['delete'] },
};

function writes(...names: readonly string[]): Right {
  return { at: replicationPolicyPath(...names), words: ['update', 'create'] };
}

/** What the caller may do, regardless of the cluster's mode; null if the server doesn't report it. */
export async function mayReplicate(caller: SecretsCaller): Promise<ReplicationMay> {
  const paths = [...new Set(Object.values(rights).map(({ at }) => at))];
  const found = await readCapabilities(caller, paths);
  if (found === null) return null;
  return Object.fromEntries(
    Object.entries(rights).map(([name, { at, words, sudo }]) => {
      const given = found.get(at);
      return [name, allows(given, ...words) && (sudo !== true || allows(given, 'sudo'))];
    }),
  ) as NonNullable<ReplicationMay>;
}
