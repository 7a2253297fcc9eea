import { accessSession, type AccessSession } from '@gatehouse/api-types/console/access-sessions';
import * as at from '@gatehouse/api-types/console/addresses/access';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { toasts } from '@gatehouse/ui/toast';
import { useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { useLadder } from '#components/guards/use-ladder.ts';
import { ConfirmMany } from '#components/record/ConfirmMany.tsx';
import {
  nameOr,
  reasonAgainstCancel,
  sessionLabel,
  statusWords,
} from '#components/sessions/session-words.ts';
import { isApiError } from '#lib/api-error.ts';
import { failureTitle, sentencesOf } from '#lib/error-words.ts';
import { useCancelAccessSession } from '#queries/access-sessions.ts';
import { useConnection } from '#queries/session.ts';

export interface CancelSessionsProps {
  sessions: readonly AccessSession[];
  /** Called with the IDs of canceled sessions. */
  onClose: (canceled: readonly string[]) => void;
}

/** Asks before canceling sessions. If some changed since you saw them, asks again. */
export function CancelSessions({ sessions, onClose }: CancelSessionsProps) {
  const [one, another] = sessions;
  if (one === undefined) return null;
  return another === undefined ? (
    <CancelOne
      session={one}
      onClose={(isDone) => {
        onClose(isDone ? [one.id] : []);
      }}
    />
  ) : (
    <CancelMany sessions={sessions} onClose={onClose} />
  );
}

function CancelMany({ sessions, onClose }: CancelSessionsProps) {
  const environment = useEnvironment();
  const cancel = useCancelAccessSession(environment.id);
  const count = sessions.length;
  const { asks } = useLadder(at.accessSessions.cancel.harm, `cancel ${String(count)}`, count);
  return (
    <ConfirmMany
      items={sessions}
      nameOf={sessionLabel}
      label={`Cancel ${count.toLocaleString('en')} sessions`}
      cancelLabel="Keep them"
      progressLabel="Canceling"
      again="cancel anyway"
      doneTitle={(canceled) => `${canceled.toLocaleString('en')} sessions are being canceled`}
      asks={asks}
      impacts={[
        {
          kind: 'breaks',
          text: sessions.every(({ status }) => status === 'pending')
            ? 'Their users can no longer connect with them.'
            : 'Their connections are closed, which disconnects the programs that use them.',
        },
        { kind: 'worth-knowing', text: "They can't be resumed. New sessions can be authorized." },
      ]}
      act={({ id }, revision) => cancel.mutateAsync({ id, revision })}
      onClose={onClose}
    />
  );
}

/** Asks before canceling a session. If it changed since you saw it, shows its current state first. */
function CancelOne({ session, onClose }: { session: AccessSession; onClose: (isDone: boolean) => void }) {
  const environment = useEnvironment();
  const me = useConnection(environment.id, 'access')?.account?.id;
  const cancel = useCancelAccessSession(environment.id);
  const [newer, setNewer] = useState<AccessSession>();
  const now = newer ?? session;
  const isOver = reasonAgainstCancel(now) !== undefined;
  const isPending = now.status === 'pending';
  const isMine = now.user_id === me;
  // Your own session without connections can be authorized again without a loss.
  const isIdle = isPending && isMine;
  const harm = isIdle ? undefined : at.accessSessions.cancel.harm;
  const { asks } = useLadder(harm, nameOr(now.target_name, now.target_id));
  const who = nameOr(now.user_name, now.user_id);
  const where = nameOr(now.target_name, now.target_id);

  const run = (): void => {
    if (isOver) {
      onClose(false);
      return;
    }
    cancel.mutate(
      { id: now.id, revision: now.revision },
      {
        onSuccess: ({ status }) => {
          toasts.ok({
            title: `Session of ${who} on ${where} ${status === 'canceling' ? 'is being canceled' : 'canceled'}`,
          });
          onClose(true);
        },
        onError: (error) => {
          const conflict = isApiError(error, 'conflict') ? error.problem?.conflict : undefined;
          const current = accessSession.safeParse(conflict?.current);
          if (current.success) setNewer(current.data);
        },
      },
    );
  };

  return (
    <ConfirmDialog
      isOpen
      onOpenChange={() => {
        onClose(false);
      }}
      title={`Cancel the session of ${who}?`}
      confirmLabel={isOver ? 'Close' : newer ? 'Cancel it anyway' : 'Cancel session'}
      cancelLabel="Keep it"
      {...(!isOver && asks)}
      isPending={cancel.isPending}
      errorTitle={failureTitle(cancel.error)}
      error={cancel.error === null ? undefined : problemOf(cancel.error, now)}
      impacts={[
        ...(isIdle
          ? []
          : [
              {
                kind: 'breaks' as const,
                text: isPending
                  ? 'They can no longer connect with it.'
                  : 'Its connections are closed, which disconnects the programs that use them.',
              },
            ]),
        {
          kind: 'worth-knowing',
          text: `It can't be resumed. ${isMine ? 'You' : 'They'} can authorize a new session.`,
        },
      ]}
      onConfirm={run}
    >
      On {where} (<span className="font-mono text-meta">{now.id}</span>) in {environment.name}.
    </ConfirmDialog>
  );
}

function problemOf(error: unknown, now: AccessSession): string {
  if (isApiError(error, 'conflict')) {
    return `The session has changed since you opened it. It is now ${statusWords(now.status).word.toLowerCase()}.`;
  }
  return sentencesOf(error);
}
