import type { AccessSession } from '@gatehouse/api-types/console/access-sessions';
import type { Tone } from '@gatehouse/ui/tone';

const words: Readonly<Record<string, { word: string; tone: Tone | 'neutral' }>> = {
  pending: { word: 'Pending', tone: 'info' },
  active: { word: 'Active', tone: 'ok' },
  canceling: { word: 'Canceling', tone: 'warn' },
  terminated: { word: 'Terminated', tone: 'neutral' },
};

/** A state in words; a controller may have others than those that are known. */
export function statusWords(status: string): { word: string; tone: Tone | 'neutral' } {
  return words[status] ?? { word: status, tone: 'neutral' };
}

/** A target or a person as people call it, else by its id. */
export function nameOr(name: string, id: string): string {
  return name === '' ? id : name;
}

/** A session in a few words. */
export function sessionLabel(session: AccessSession): string {
  return `session of ${nameOr(session.user_name, session.user_id)} on ${nameOr(session.target_name, session.target_id)}`;
}

/** Why a session cannot be cancelled; undefined where it can. */
export function reasonAgainstCancel({
  status,
  authorized_actions: actions,
}: AccessSession): string | undefined {
  if (status === 'terminated') return 'It has ended.';
  if (status === 'canceling') return 'It is being cancelled.';
  if (actions.includes('cancel') || actions.includes('cancel:self')) return undefined;
  return "Your role in the access controller doesn't let you cancel other people's sessions.";
}
