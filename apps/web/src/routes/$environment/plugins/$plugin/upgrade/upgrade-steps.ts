/** An upgrade as steps. It stops at the first that fails, and can then be continued or undone. */
import { pluginIdOf } from '@gatehouse/api-types/console/plugin-values';
import {
  plugin as pluginSchema,
  type NewPlugin,
  type PluginMount,
  type PluginSummary,
} from '@gatehouse/api-types/console/plugins';
import { shortHash } from '#components/plugins/plugin-words.ts';
import { isApiError } from '#lib/api-error.ts';
import { sentencesOf } from '#lib/error-words.ts';
import type { PluginWrites } from '#queries/plugins.ts';
import { settingOf } from '../../-catalog/catalog.ts';

export interface Upgrade {
  readonly from: Pick<PluginSummary, 'id' | 'type' | 'name' | 'version'>;
  /** The version to upgrade to. */
  readonly version: string;
  /** Lower-case hex; empty if the server reports none. */
  readonly sha256: string;
  /** Registered first; undefined if the version is registered already. */
  readonly register: NewPlugin | undefined;
  /** How the mounts get the version: each is set to it, or it is pinned. */
  readonly by: 'tune' | 'pin';
  readonly mounts: readonly PluginMount[];
  /** The version pinned before; empty if none. */
  readonly pinned: string;
}

/** @returns a note on a step that succeeded */
type Run = () => Promise<string | undefined>;

export interface Step {
  readonly id: string;
  /** Such as `Set cloud to v1.3.0`. */
  readonly label: string;
  readonly run: Run;
}

export type StepState =
  | { readonly state: 'waiting' }
  | { readonly state: 'running' }
  | { readonly state: 'done'; readonly note?: string }
  | { readonly state: 'failed'; readonly reason: string };

type Writes = Pick<PluginWrites, 'register' | 'pin' | 'unpin' | 'reload' | 'tune' | 'read'>;

const nothingSaid = (): undefined => undefined;

/** The steps of an upgrade, in order. */
export function upgradeSteps(upgrade: Upgrade, writes: Writes): readonly Step[] {
  const { from, version, register, by, mounts, pinned } = upgrade;
  const paths = mounts.map(({ path }) => path);
  const id = pluginIdOf({ ...from, version });
  return [
    ...(register === undefined
      ? []
      : [
          {
            id: 'register',
            label: `Register ${from.name} ${version}`,
            run: () => registered(register, writes),
          },
        ]),
    ...(by === 'pin'
      ? [{ id: 'pin', label: `Pin ${version}`, run: () => writes.pin(id, pinned).then(nothingSaid) }]
      : mounts.map(({ path, configured_version }) => ({
          id: `tune ${path}`,
          label: `Set ${path} to ${version}`,
          run: () => writes.tune(path, version, configured_version).then(nothingSaid),
        }))),
    {
      id: 'reload',
      label: `Reload ${paths.join(', ')}`,
      run: () => writes.reload(id, paths).then(nothingSaid),
    },
    { id: 'verify', label: 'Verify the running version', run: () => verified(upgrade, writes) },
  ];
}

/** Registers the version. An existing registration counts as success if it is the same. */
async function registered(fields: NewPlugin, { register }: Writes): Promise<string | undefined> {
  try {
    await register(fields);
    return 'Registered; the stored fields match';
  } catch (error) {
    const conflict = isApiError(error, 'conflict') ? error.problem?.conflict : undefined;
    const there = conflict && pluginSchema.safeParse(conflict.current).data;
    if (there?.sha256 !== fields.sha256 || there.command !== fields.command) throw error;
    return 'Already registered with the same hash and command';
  }
}

/** Checks what each mount runs. @throws Error that lists the mounts that run something else */
async function verified(
  { version, sha256, mounts }: Upgrade,
  { read }: Pick<Writes, 'read'>,
): Promise<string | undefined> {
  const { mounts: now } = await read();
  if (now === null)
    throw new NotVerified("Your policies don't let you list mounts, so the running version is unknown.");
  const wrong: string[] = [];
  let untold = 0;
  for (const { path } of mounts) {
    const mount = now.find((other) => other.path === path);
    if (mount === undefined) wrong.push(`${path} is no longer mounted`);
    else if (mount.running_version === '' && mount.running_sha256 === '') untold += 1;
    else if (mount.running_sha256 !== '' && sha256 !== '' && mount.running_sha256 !== sha256)
      wrong.push(`${path} runs a binary with the hash ${shortHash(mount.running_sha256)}…`);
    else if (mount.running_version !== '' && mount.running_version !== version)
      wrong.push(`${path} runs ${mount.running_version}`);
  }
  if (wrong.length > 0) throw new NotVerified(`${wrong.join('; ')}. Expected: ${version}.`);
  return untold > 0 ? "The server doesn't report the running version" : 'Each mount runs the new version';
}

class NotVerified extends Error {}

/**
 * The steps that undo an upgrade, in reverse order. The new registration is kept, because no mount runs it afterwards.
 * @param begun IDs of the steps that ran, or may have run
 */
export function backSteps(
  { from, by, mounts, pinned, version }: Upgrade,
  begun: ReadonlySet<string>,
  writes: Writes,
): readonly Step[] {
  const set =
    by === 'pin'
      ? begun.has('pin')
        ? [pinBack({ from, version, pinned }, writes)]
        : []
      : mounts
          .filter(({ path }) => begun.has(`tune ${path}`))
          .toReversed()
          .map((mount) => {
            const { path } = mount;
            const before = settingOf(mount);
            return {
              id: `tune ${path}`,
              label: before === '' ? `Set ${path} to the catalog's default` : `Set ${path} to ${before}`,
              run: () => writes.tune(path, before, version).then(nothingSaid),
            };
          });
  const paths = mounts.map(({ path }) => path);
  return [
    ...set,
    ...(begun.has('reload')
      ? [
          {
            id: 'reload',
            label: `Reload ${paths.join(', ')}`,
            run: () => writes.reload(from.id, paths).then(nothingSaid),
          },
        ]
      : []),
  ];
}

function pinBack(
  { from, version, pinned }: Pick<Upgrade, 'from' | 'version' | 'pinned'>,
  writes: Writes,
): Step {
  return pinned === ''
    ? {
        id: 'pin',
        label: 'Remove the pin',
        run: () => writes.unpin(pluginIdOf({ ...from, version }), version).then(nothingSaid),
      }
    : {
        id: 'pin',
        label: `Pin ${pinned}`,
        run: () => writes.pin(pluginIdOf({ ...from, version: pinned }), version).then(nothingSaid),
      };
}

/**
 * Runs steps in order, skipping completed ones, until one fails.
 * @returns whether all are done
 */
export async function runSteps(
  steps: readonly Step[],
  isDone: (id: string) => boolean,
  report: (id: string, state: StepState) => void,
): Promise<boolean> {
  for (const { id, run } of steps) {
    if (isDone(id)) continue;
    report(id, { state: 'running' });
    try {
      const note = await run();
      report(id, { state: 'done', ...(note !== undefined && { note }) });
    } catch (error) {
      report(id, { state: 'failed', reason: reasonOf(error) });
      return false;
    }
  }
  return true;
}

function reasonOf(error: unknown): string {
  if (error instanceof NotVerified) return error.message;
  return sentencesOf(error);
}
