/** Values of targets, without the schemas, for lists and labels. */
import type { Role } from './people.ts';

export const targetTypes = ['tcp', 'ssh', 'rdp'] as const;
export type TargetType = (typeof targetTypes)[number];

/** Ports that the controller uses by default; tcp has none and requires one. */
export const defaultPorts: Readonly<Record<TargetType, number | null>> = { tcp: null, ssh: 22, rdp: 3389 };
export const defaultSessionMaxSeconds = 28_800;
export const unlimitedConnections = -1;

/** The roles at the built-in access controller that may authorize sessions; they hold for every target. */
export const connectingRoles: readonly Role[] = ['administrator', 'operator'];
