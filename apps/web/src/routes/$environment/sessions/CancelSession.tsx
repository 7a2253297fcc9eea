import { accessSession, type AccessSession } from '@gatehouse/api-types/console/access-sessions';
import * as at from '@gatehouse/api-types/console/addresses/access';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { toasts } from '@gatehouse/ui/toast';
import { useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { useLadder } from '#components/guards/use-ladder.ts';
import { nameOr, reasonAgainstCancel, statusWords } from '#components/sessions/session-words.ts';
import { isApiError } from '#lib/api-error.ts';
import { failureTitle, wordsOf } from '#lib/error-words.ts';
import { useCancelAccessSession } from '#queries/access-sessions.ts';

/** Asks before cancelling a session. If it changed since you saw it, shows its current state first. */
export function CancelSession({ session, onClose }: { session: AccessSession; onClose: () => void }) {
  const environment = useEnvironment();
  const cancel = useCancelAccessSession(environment.id);
  const [newer, setNewer] = useState<AccessSession>();
  const now = newer ?? session;
  const isOver = reasonAgainstCancel(now) !== undefined;
  const { asks } = useLadder(at.accessSessions.cancel.harm, nameOr(now.target_name, now.target_id));
  const who = nameOr(now.user_name, now.user_id);
  const where = nameOr(now.target_name, now.target_id);

  const run = (): void => {
    if (isOver) {
      onClose();
      return;
    }
    cancel.mutate(
      { id: now.id, revision: now.revision },
      {
        onSuccess: () => {
          toasts.ok({ title: `Session of ${who} on ${where} cancelled` });
          onClose();
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
      onOpenChange={onClose}
      title={`Cancel the session of ${who}?`}
      confirmLabel={isOver ? 'Close' : newer ? 'Cancel it anyway' : 'Cancel session'}
      cancelLabel="Keep it"
      {...(!isOver && asks)}
      isPending={cancel.isPending}
      errorTitle={failureTitle(cancel.error)}
      error={cancel.error === null ? undefined : problemOf(cancel.error, now)}
      impacts={[
        { kind: 'breaks', text: 'Its connections are closed, which disconnects the programs that use them.' },
        { kind: 'worth-knowing', text: "It can't be resumed. You can authorize a new session." },
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
  const { title, detail } = wordsOf(error);
  return `${title}. ${detail}`;
}
