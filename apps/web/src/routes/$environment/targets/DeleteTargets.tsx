import type { Environment } from '@gatehouse/api-types/console/session';
import { target as targetSchema, type Target } from '@gatehouse/api-types/console/targets';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { ProgressBar } from '@gatehouse/ui/progress-bar';
import { toasts } from '@gatehouse/ui/toast';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { useLadder } from '#components/guards/use-ladder.ts';
import { DeleteRecord } from '#components/record/DeleteRecord.tsx';
import { isApiError } from '#lib/api-error.ts';
import { failureTitle, wordsOf } from '#lib/error-words.ts';
import { runEach } from '#lib/run-each.ts';
import { forgetTargets, targets as targetCalls } from '#queries/access.ts';
import { useDeleteRecord } from '#queries/record-life.ts';
import { targetKind } from './target-kind.ts';

export interface DeleteTargetsProps {
  environment: Environment;
  targets: readonly Target[];
  /** Called with the IDs of deleted targets. */
  onClose: (gone: readonly string[]) => void;
}

/** The number of concurrent deletions. */
const parallel = 4;

interface Refused {
  readonly target: Target;
  readonly error: unknown;
}

/** Asks before deleting one or more targets. Targets that others changed in the meantime need another confirmation. */
export function DeleteTargets(props: DeleteTargetsProps) {
  const { targets, onClose } = props;
  const [one, another] = targets;
  if (one === undefined) return null;
  return another === undefined ? (
    <DeleteTarget
      item={one}
      onClose={(isGone) => {
        onClose(isGone ? [one.id] : []);
      }}
    />
  ) : (
    <DeleteMany {...props} />
  );
}

/** Asks before deleting one target. */
export function DeleteTarget({ item, onClose }: { item: Target; onClose: (isGone: boolean) => void }) {
  const environment = useEnvironment();
  return (
    <DeleteRecord
      kind={targetKind}
      address={item.id}
      item={item}
      impacts={[
        { kind: 'breaks', text: 'Live sessions on it end immediately, and no new ones can be opened.' },
      ]}
      onClose={onClose}
    >
      <p>
        <span className="font-mono text-meta">{item.id}</span> in {environment.name}
        {item.address !== '' && (
          <>
            , at <span className="font-mono text-meta">{item.address}</span>
          </>
        )}
        .
      </p>
    </DeleteRecord>
  );
}

function DeleteMany({ environment, targets, onClose }: DeleteTargetsProps) {
  const remove = useDeleteRecord<Target, string>(targetCalls, environment.id);
  const queryClient = useQueryClient();
  const [done, setDone] = useState<number>();
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  /** Current revisions of targets that changed since the dialog opened. */
  const [newer, setNewer] = useState<ReadonlyMap<string, string>>(new Map());
  const gone = useRef<string[]>([]);

  const run = async (): Promise<void> => {
    const waiting = targets.filter(({ id }) => !gone.current.includes(id));
    const stop = new AbortController();
    const failures: Refused[] = [];
    const found = new Map(newer);
    setRefused([]);
    setDone(0);
    const work = async (target: Target): Promise<void> => {
      const { id } = target;
      try {
        await remove.mutateAsync({ address: id, revision: found.get(id) ?? target.revision });
        gone.current.push(id);
      } catch (error) {
        const conflict = isApiError(error, 'conflict') ? error.problem?.conflict : undefined;
        if (isApiError(error, 'not-found') || conflict?.reason === 'deleted') {
          // Someone else already deleted it.
          forgetTargets(queryClient, environment.id, [id]);
          gone.current.push(id);
        } else {
          const current = targetSchema.safeParse(conflict?.current);
          if (current.success) found.set(id, current.data.revision);
          failures.push({ target, error });
          // A missing permission or service affects all targets.
          if (!isApiError(error, 'conflict')) stop.abort();
        }
      }
      setDone(gone.current.length);
    };
    await runEach(waiting, parallel, work, stop.signal);
    setDone(undefined);
    setNewer(found);
    setRefused(failures);
    if (failures.length > 0) return;
    toasts.ok({ title: `${gone.current.length.toLocaleString('en')} targets deleted` });
    onClose(gone.current);
  };

  const count = targets.length;
  const { asks } = useLadder(targetCalls.remove.harm, `delete ${String(count)}`, count);
  const what = `${count.toLocaleString('en')} targets`;
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen && done === undefined) onClose(gone.current);
      }}
      title={`Delete ${what}?`}
      confirmLabel={`Delete ${what}`}
      {...asks}
      isPending={done !== undefined}
      errorTitle={failureTitle(refused[0]?.error)}
      error={refused.length === 0 ? undefined : <RefusedWords refused={refused} />}
      impacts={[
        { kind: 'breaks', text: 'Live sessions on them end immediately, and no new ones can be opened.' },
        { kind: 'worth-knowing', text: "This can't be undone. A new target gets a new ID." },
      ]}
      onConfirm={() => void run()}
    >
      <div className="flex flex-col gap-3">
        <p>
          In {environment.name}: {listOf(targets)}.
        </p>
        {done !== undefined && (
          <ProgressBar
            label="Deleting"
            value={done / count}
            valueLabel={`${done.toLocaleString('en')} of ${count.toLocaleString('en')}`}
          />
        )}
      </div>
    </ConfirmDialog>
  );
}

function listOf(targets: readonly Target[]): string {
  const names = targets.slice(0, 5).map(({ name }) => name);
  const rest = targets.length - names.length;
  return rest > 0 ? `${names.join(', ')} and ${rest.toLocaleString('en')} more` : names.join(', ');
}

function RefusedWords({ refused }: { refused: readonly Refused[] }) {
  const [first] = refused;
  if (!first) return null;
  const { title, detail } = wordsOf(first.error);
  const conflicts = refused.filter(({ error }) => isApiError(error, 'conflict'));
  return conflicts.length === refused.length
    ? `${listOf(refused.map(({ target }) => target))} changed since you looked and ${refused.length === 1 ? 'was' : 'were'} kept. Confirm again to delete them in their current state.`
    : `${first.target.name}: ${title}. ${detail}`;
}
