import type { AccessSession } from '@gatehouse/api-types/console/access-sessions';
import type { Tone } from '@gatehouse/ui/tone';

const words: Readonly<Record<string, { word: string; tone: Tone | 'neutral' }>> = {
  pending: { word: 'Pending', tone: 'info' },
  active: { word: 'Active', tone: 'ok' },
  canceling: { word: 'Canceling', tone: 'warn' },
  terminated: { word: 'Terminated', tone: 'neutral' },
};

/** A state in words. Controllers may report unknown states. */
export function statusWords(status: string): { word: string; tone: Tone | 'neutral' } {
  return words[status] ?? { word: status, tone: 'neutral' };
}

/** The name of a target or user, or its ID if it has none. */
export function nameOr(name: string, id: string): string {
  return name === '' ? id : name;
}

/** Identifies a session in a few words. */
export function sessionLabel(session: AccessSession): string {
  return `session of ${nameOr(session.user_name, session.user_id)} on ${nameOr(session.target_name, session.target_id)}`;
}

/** Why a session can't be canceled; undefined if it can. */
export function reasonAgainstCancel({
  status,
  authorized_actions: actions,
}: AccessSession): string | undefined {
  if (status === 'terminated') return 'It has ended.';
  if (status === 'canceling') return 'It is being canceled.';
  if (actions.includes('cancel') || actions.includes('cancel:self')) return undefined;
  return "Your role in the access controller doesn't let you cancel other people's sessions.";
}
