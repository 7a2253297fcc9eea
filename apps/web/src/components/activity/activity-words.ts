/** The words for the audit trail. */
import type { ActivityEntry, ActivityOutcome } from '@gatehouse/api-types/console/activity';
import type { ProblemCode } from '@gatehouse/api-types/console/problem';
import type { Tone } from '@gatehouse/ui/tone';

export const outcomeWords: Readonly<Record<ActivityOutcome, { word: string; tone: Tone | 'neutral' }>> = {
  succeeded: { word: 'Succeeded', tone: 'ok' },
  failed: { word: 'Failed', tone: 'danger' },
  refused: { word: 'Refused', tone: 'warn' },
  unknown: { word: 'Unknown', tone: 'warn' },
  pending: { word: 'In progress', tone: 'info' },
};

type Refusal = { readonly word: string; readonly tone: Tone };

/** The reasons for a refusal that are shown instead of "Refused". */
export const refusals = {
  conflict: { word: 'Conflict', tone: 'info' },
  forbidden: { word: 'Not allowed', tone: 'danger' },
  'sign-in-failed': { word: 'Failed sign-in', tone: 'danger' },
  'invalid-request': { word: 'Invalid', tone: 'warn' },
  'not-found': { word: 'Already deleted', tone: 'warn' },
} as const satisfies Partial<Record<ProblemCode, Refusal>>;

/** An entry's outcome; for a refusal, the reason. */
export function outcomeOf({ outcome, problem }: Pick<ActivityEntry, 'outcome' | 'problem'>): {
  readonly word: string;
  readonly tone: Tone | 'neutral';
} {
  const reasons: Readonly<Record<string, Refusal | undefined>> = refusals;
  const reason = outcome === 'refused' && problem !== null ? reasons[problem] : undefined;
  return reason ?? outcomeWords[outcome];
}

/** Actions whose names don't describe them well enough. */
const said: Readonly<Record<string, string>> = {
  'publish-run.box': 'Publish run: save the box',
  'publish-run.version': 'Publish run: save the version',
  'publish-run.provider': 'Publish run: save a provider',
  'move.create': 'Move: read another registry and plan',
  'move.choose': 'Move: choose items',
  'move.start': 'Move: start copying',
  'move.retry': 'Move: retry what failed',
  'move.compare': 'Move: compare both registries',
  'plugin.create': 'Plugin: register',
  'plugin.update': 'Plugin: register again',
  'plugin.unpin': 'Plugin: remove the pin',
  'plugin-mount.tune': 'Mount: set the version of its plugin',
  'replication.enable-primary': 'Replication: enable as primary',
  'replication.update-primary': 'Replication: change the primary of a secondary',
  'replication.delete-lost-writes': 'Replication: delete lost writes',
  'replication-secondary.create-token': 'Replication: create an activation token',
  'replication-secondary.revoke': 'Replication: revoke a secondary',
  'replication-secondary.save-filter': 'Replication: save a paths filter',
  'replication-secondary.delete-filter': 'Replication: delete a paths filter',
};

/** Edits of a person that have their own words, by the path that the trail records. */
const saidOfPerson: Readonly<Record<string, string>> = {
  'disabled=true': 'Person: lock out',
  'disabled=false': 'Person: let in again',
};

/** Such as `Target: change host sources` for `target.change-host-sources`. @param paths of the entry */
export function actionWords(action: string, paths: readonly string[] = []): string {
  const edit = action === 'person.update' ? paths.find((path) => path in saidOfPerson) : undefined;
  const words = edit === undefined ? said[action] : saidOfPerson[edit];
  if (words !== undefined) return words;
  const [kind = '', verb = ''] = action.split('.');
  const noun = kind.replaceAll('-', ' ');
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}: ${verb.replaceAll('-', ' ')}`;
}

/**
 * The fields of an entry, such as `added data.new` or `default port`. Fields of a secret that was written without being
 * compared are "written". An export lists its filters as they were sent.
 */
export function fieldWords({ action, paths }: Pick<ActivityEntry, 'action' | 'paths'>): string {
  if (action.endsWith('.export')) return paths.join(', ');
  const isWritten = action === 'secret.update' || action === 'secret.patch';
  return paths
    .filter((path) => action !== 'person.update' || !(path in saidOfPerson))
    .map((path) => {
      if (/^data(?:\.|$)/.test(path)) return isWritten ? `written ${path}` : path;
      const [, name, value = ''] = /^([a-z_.-]+)=(.*)$/s.exec(path) ?? [];
      if (name === undefined) return plainName(path);
      if (name === 'part-of') return `part of “${actionWords(value)}”`;
      return ['added', 'changed', 'removed', 'unchanged'].includes(name)
        ? `${name} ${value}`
        : `${plainName(name)}: ${value}`;
    })
    .join(', ');
}

/** `default port` for `attributes.default_port`. Names that users chose stay as they are. */
function plainName(path: string): string {
  if (path.startsWith('custom_metadata.')) return path;
  return path.replace(/^attributes\./, '').replaceAll(/[._-]/g, ' ');
}

/** The person's display name. */
export function personWords({ person }: Pick<ActivityEntry, 'person'>): string {
  return person.name || person.login_name || person.id || 'No one signed in';
}

/** The resource's name at the time of the action. */
export function resourceWords({ resource }: Pick<ActivityEntry, 'resource'>): string {
  // A name such as 1.2.0 needs the box, module or engine it belongs to.
  const isOfOther = /^(?:box|module|cloud)/.test(resource.kind) && resource.id.includes('/');
  return (isOfOther ? resource.id : resource.name || resource.id) || resource.kind.replaceAll('-', ' ');
}
