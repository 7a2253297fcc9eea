/** Builds the CLI command that opens an authorized session. */
import { shellWord } from '#components/form/as-code.ts';

const ways = {
  tcp: 'TCP port',
  ssh: 'SSH',
  rdp: 'Remote desktop',
} as const;

export type WayToConnect = keyof typeof ways;

/** The clients that the CLI can start, the one for this target type first. */
export function waysToConnect(type: string): readonly { value: WayToConnect; label: string }[] {
  const all: readonly WayToConnect[] =
    type === 'ssh' ? ['ssh', 'tcp'] : type === 'rdp' ? ['rdp', 'tcp'] : ['tcp', 'ssh', 'rdp'];
  return all.map((value) => ({ value, label: ways[value] }));
}

/**
 * The command to copy.
 * @param token the authorization token, or its mask
 */
export function connectCommand(
  way: WayToConnect,
  { token, userName }: { token: string; userName?: string | undefined },
): string {
  const words = ['boundary', 'connect', ...(way === 'tcp' ? [] : [way]), '-authz-token', shellWord(token)];
  if (way === 'ssh' && userName !== undefined) words.push('-username', shellWord(userName));
  return words.join(' ');
}
