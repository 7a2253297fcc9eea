/** What the audit trail says, in words. */
import type { ActivityEntry, ActivityOutcome } from '@gatehouse/api-types/console/activity';
import type { ProblemCode } from '@gatehouse/api-types/console/problem';
import type { Tone } from '@gatehouse/ui/tone';

export const outcomeWords: Readonly<Record<ActivityOutcome, { word: string; tone: Tone | 'neutral' }>> = {
  succeeded: { word: 'Succeeded', tone: 'ok' },
  failed: { word: 'Failed', tone: 'danger' },
  refused: { word: 'Refused', tone: 'warn' },
  unknown: { word: 'Unknown', tone: 'warn' },
  pending: { word: 'Under way', tone: 'info' },
};

type Refusal = { readonly word: string; readonly tone: Tone };

/** Why something was refused, where that is another matter than the usual: to be told apart at a glance. */
export const refusals = {
  conflict: { word: 'Conflict', tone: 'info' },
  forbidden: { word: 'Not allowed', tone: 'danger' },
  'sign-in-failed': { word: 'Wrong sign-in', tone: 'danger' },
  'invalid-request': { word: 'Not valid', tone: 'warn' },
  'not-found': { word: 'Was gone', tone: 'warn' },
} as const satisfies Partial<Record<ProblemCode, Refusal>>;

/** How it came out: of what was refused, why. */
export function outcomeOf({ outcome, problem }: Pick<ActivityEntry, 'outcome' | 'problem'>): {
  readonly word: string;
  readonly tone: Tone | 'neutral';
} {
  const reasons: Readonly<Record<string, Refusal | undefined>> = refusals;
  const reason = outcome === 'refused' && problem !== null ? reasons[problem] : undefined;
  return reason ?? outcomeWords[outcome];
}

/** `target.change-host-sources` as `Target: change host sources`. */
export function actionWords(action: string): string {
  const [kind = '', verb = ''] = action.split('.');
  const noun = kind.replaceAll('-', ' ');
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}: ${verb.replaceAll('-', ' ')}`;
}

/** Who did it, as others know them. */
export function personWords({ person }: Pick<ActivityEntry, 'person'>): string {
  return person.name || person.login_name || person.id || 'Nobody signed in';
}

/** What it was done to, as it was called then. */
export function resourceWords({ resource }: Pick<ActivityEntry, 'resource'>): string {
  return resource.name || resource.id || resource.kind.replaceAll('-', ' ');
}

/** The kind of resource that has a page of its own, by the part of the address before its id. */
const placeOfKind: Readonly<Record<string, string>> = { target: 'targets', person: 'people' };

/** Where the resource can be looked at; undefined where there is no page for it. */
export function resourceHref({ resource }: ActivityEntry, environment: string): string | undefined {
  if (resource.id === '') return undefined;
  if (resource.kind === 'session')
    return `/${environment}/sessions?session=${encodeURIComponent(resource.id)}`;
  const place = placeOfKind[resource.kind];
  return place === undefined ? undefined : `/${environment}/${place}/${encodeURIComponent(resource.id)}`;
}
