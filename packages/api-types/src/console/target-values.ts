/** Values that targets may have, without the schemas: lists and words need no more. */

export const targetTypes = ['tcp', 'ssh', 'rdp'] as const;
export type TargetType = (typeof targetTypes)[number];

/** Ports that the controller fills in when none is given; tcp has none and needs one. */
export const defaultPorts: Readonly<Record<TargetType, number | null>> = { tcp: null, ssh: 22, rdp: 3389 };
export const defaultSessionMaxSeconds = 28_800;
export const unlimitedConnections = -1;
