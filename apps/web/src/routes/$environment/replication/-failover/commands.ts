/** Commands that do a step without the console. */
import { shellWord } from '#components/form/as-code.ts';
import type { PathsFilter } from '../-clusters/cluster.ts';

const base = 'sys/replication/performance';

/** A command, and the cluster to run it on. */
export interface Command {
  readonly where: string;
  readonly command: string;
}

export const statusCommand = (where: string): Command => ({ where, command: `vault read ${base}/status` });
export const digestCommand = (where: string): Command => ({ where, command: `vault read ${base}/digest` });
export const lostCommand = (where: string): Command => ({ where, command: `vault read ${base}/lost` });

export const deleteLostCommand = (where: string): Command => ({
  where,
  command: `vault delete ${base}/lost up_to=LOST_WRITE_ID # the ID of the newest resolved write`,
});

export const demoteCommand = (where: string): Command => ({
  where,
  command: `vault write -f ${base}/primary/demote`,
});

export const promoteCommand = (where: string, isForced = false): Command => ({
  where,
  command: isForced
    ? `vault write ${base}/secondary/promote force=true`
    : `vault write -f ${base}/secondary/promote`,
});

export const saveFilterCommand = (
  where: string,
  secondary: string,
  { mode, paths }: PathsFilter,
): Command => ({
  where,
  command: [
    `vault write ${base}/primary/paths-filter/${shellWord(secondary)} mode=${mode}`,
    `paths=${shellWord(paths.join(','))}`,
  ].join(' '),
});

export const deleteFilterCommand = (where: string, secondary: string): Command => ({
  where,
  command: `vault delete ${base}/primary/paths-filter/${shellWord(secondary)}`,
});

/** Points an existing secondary at the new primary with a token. Its data stays. */
export const updatePrimaryCommands = (
  primary: string,
  secondary: string,
  id: string,
): readonly [Command, Command] => [
  {
    where: primary,
    command: `vault write -field=wrapping_token ${base}/primary/secondary-token id=${shellWord(id)}`,
  },
  {
    where: secondary,
    command: `vault write ${base}/secondary/update-primary token="$ACTIVATION_TOKEN" # the token printed by the previous command`,
  },
];
