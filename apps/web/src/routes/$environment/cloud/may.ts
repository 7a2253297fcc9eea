/** Why an action on an engine or role isn't possible; undefined if it is, or the server doesn't report capabilities. */
import type { CloudEngine } from '@gatehouse/api-types/console/cloud-engines';
import type { CloudRole } from '@gatehouse/api-types/console/cloud-roles';

const ask = 'Ask an administrator of the secrets server.';

const engineActions = {
  create_roles: 'create roles in this engine',
  update_root: "edit this engine's root credentials",
  rotate_root: "rotate this engine's root credentials",
  update_lease: "edit this engine's lease settings",
  unmount: 'unmount this engine',
} as const;

export function reasonAgainstEngine(
  may: CloudEngine['may'] | undefined,
  action: keyof typeof engineActions,
): string | undefined {
  if (may === null || may === undefined || may[action]) return undefined;
  return `Your policies don't let you ${engineActions[action]}. ${ask}`;
}

export function reasonAgainstRole(
  { may }: Pick<CloudRole, 'may'>,
  action: 'update' | 'delete',
): string | undefined {
  if (may === null || may[action]) return undefined;
  return `Your policies don't let you ${action === 'update' ? 'edit' : 'delete'} this role. ${ask}`;
}
