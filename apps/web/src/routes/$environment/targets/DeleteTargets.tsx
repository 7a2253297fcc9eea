import type { Environment } from '@gatehouse/api-types/console/session';
import { fieldsOfTarget, target as targetSchema, type Target } from '@gatehouse/api-types/console/targets';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { DiffList } from '@gatehouse/ui/diff-list';
import { ProgressBar } from '@gatehouse/ui/progress-bar';
import { toasts } from '@gatehouse/ui/toast';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { changesBetween } from '#components/form/field-changes.ts';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { runEach } from '#lib/run-each.ts';
import { forgetTargets, useDeleteTarget } from '#queries/access.ts';
import { targetForm } from './target-form.ts';

export interface DeleteTargetsProps {
  environment: Environment;
  /** What is to be deleted; undefined while nothing is. */
  targets: readonly Target[] | undefined;
  /** Told which are gone. */
  onClose: (gone: readonly string[]) => void;
}

/** How many deletions are under way at once. */
const parallel = 4;

interface Refused {
  readonly target: Target;
  readonly error: unknown;
}

/** Asks, then deletes one target or many. What was changed meanwhile is not deleted unseen. */
export function DeleteTargets({ environment, targets, onClose }: DeleteTargetsProps) {
  const remove = useDeleteTarget(environment.id);
  const queryClient = useQueryClient();
  const [done, setDone] = useState<number>();
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  /** Targets as they are stored now, where that is another revision than the one that was asked about. */
  const [newer, setNewer] = useState<ReadonlyMap<string, Target>>(new Map());
  const gone = useRef<string[]>([]);
  const [one] = targets ?? [];

  const close = (): void => {
    const ids = gone.current;
    gone.current = [];
    setDone(undefined);
    setRefused([]);
    setNewer(new Map());
    onClose(ids);
  };

  const run = async (): Promise<void> => {
    const waiting = (targets ?? []).filter(({ id }) => !gone.current.includes(id));
    const stop = new AbortController();
    const failures: Refused[] = [];
    const found = new Map(newer);
    setRefused([]);
    setDone(0);
    const work = async (target: Target): Promise<void> => {
      const { id } = target;
      try {
        await remove.mutateAsync({ id, revision: found.get(id)?.revision ?? target.revision });
        gone.current.push(id);
      } catch (error) {
        const conflict = isApiError(error, 'conflict') ? error.problem?.conflict : undefined;
        if (isApiError(error, 'not-found') || conflict?.reason === 'deleted') {
          // Somebody else was faster: it is what was wanted.
          forgetTargets(queryClient, environment.id, [id]);
          gone.current.push(id);
        } else {
          const current = targetSchema.safeParse(conflict?.current);
          if (current.success) found.set(id, current.data);
          failures.push({ target, error });
          // What refuses one for want of a right or a service refuses all.
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
    const count = gone.current.length;
    toasts.ok({
      title:
        count === 1 && one ? `Target ${one.name} deleted` : `${count.toLocaleString('en')} targets deleted`,
    });
    close();
  };

  if (!targets || !one) return null;
  const count = targets.length;
  const isMany = count > 1;
  const what = isMany ? `${count.toLocaleString('en')} targets` : one.name;
  const changed = newer.get(one.id);
  const spec = targetForm(one.type);
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen && done === undefined) close();
      }}
      title={isMany ? `Delete ${what}?` : `Delete target ${what}?`}
      confirmLabel={isMany ? `Delete ${what}` : changed ? 'Delete it anyway' : 'Delete target'}
      {...((isMany || environment.kind === 'production') && {
        typedName: isMany ? `delete ${String(count)}` : one.name,
      })}
      isPending={done !== undefined}
      error={refused.length === 0 ? undefined : <RefusedWords refused={refused} isMany={isMany} />}
      impacts={[
        {
          kind: 'breaks',
          text: isMany
            ? 'Nobody can open sessions to them any more.'
            : 'Nobody can open sessions to it any more.',
        },
        { kind: 'worth-knowing', text: 'It cannot be taken back. A target made anew has another id.' },
      ]}
      onConfirm={() => void run()}
    >
      <div className="flex flex-col gap-3">
        {isMany ? (
          <p>
            In {environment.name}: {listOf(targets)}.
          </p>
        ) : (
          <p>
            <span className="font-mono text-meta">{one.id}</span> in {environment.name}
            {one.address !== '' && (
              <>
                , at <span className="font-mono text-meta">{one.address}</span>
              </>
            )}
            .
          </p>
        )}
        {changed && !isMany && (
          <DiffList
            label="Changed meanwhile"
            beforeLabel="You saw"
            afterLabel="Now"
            changes={changesBetween(spec, fieldsOfTarget(one), fieldsOfTarget(changed))}
          />
        )}
        {done !== undefined && isMany && (
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

function RefusedWords({ refused, isMany }: { refused: readonly Refused[]; isMany: boolean }) {
  const [first] = refused;
  if (!first) return null;
  const { title, detail } = wordsOf(first.error);
  if (!isMany) {
    return isApiError(first.error, 'conflict')
      ? 'It was changed since you looked. The changes are shown above; confirm again to delete it as it is now.'
      : `${title}. ${detail}`;
  }
  const conflicts = refused.filter(({ error }) => isApiError(error, 'conflict'));
  return conflicts.length === refused.length
    ? `${listOf(refused.map(({ target }) => target))} changed since you looked and ${refused.length === 1 ? 'was' : 'were'} kept. Confirm again to delete them as they are now.`
    : `${first.target.name}: ${title}. ${detail}`;
}
