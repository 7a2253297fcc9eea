import { ConfirmDialog, type ConfirmDialogProps } from '@gatehouse/ui/confirm-dialog';
import { ProgressBar } from '@gatehouse/ui/progress-bar';
import { toasts } from '@gatehouse/ui/toast';
import { useRef, useState } from 'react';
import * as z from 'zod/mini';
import { isApiError } from '#lib/api-error.ts';
import { failureTitle, sentencesOf } from '#lib/error-words.ts';
import { runEach } from '#lib/run-each.ts';
import { useEnvironment } from '../environment/use-environment.ts';
import type { Ladder } from '../guards/use-ladder.ts';

interface Guarded {
  readonly id: string;
  readonly revision: string;
}

export interface ConfirmManyProps<Item extends Guarded> extends Pick<
  ConfirmDialogProps,
  'impacts' | 'cancelLabel'
> {
  items: readonly Item[];
  nameOf: (item: Item) => string;
  /** Names the action: `Delete 3 targets`. */
  label: string;
  /** Names it in progress: `Deleting`. */
  progressLabel: string;
  /** What to confirm again after changes by others: `delete anyway`. */
  again: string;
  /** The title of the notification at the end. */
  doneTitle: (count: number) => string;
  asks: Ladder['asks'];
  /** Acts on one record at a revision. */
  act: (item: Item, revision: string) => Promise<unknown>;
  /** Called with the ID of a record that is gone already. */
  onGone?: (id: string) => void;
  /** Called with the IDs that the action was done to. */
  onClose: (done: readonly string[]) => void;
}

/** The number of concurrent actions. */
const parallel = 4;

const revised = z.object({ revision: z.string() });

interface Refused<Item> {
  readonly item: Item;
  readonly error: unknown;
}

/** Asks before an action on many records. Records that others changed in the meantime need another confirmation. */
export function ConfirmMany<Item extends Guarded>({
  items,
  nameOf,
  label,
  progressLabel,
  again,
  doneTitle,
  asks,
  act,
  onGone,
  onClose,
  ...dialog
}: ConfirmManyProps<Item>) {
  const environment = useEnvironment();
  const [progress, setProgress] = useState<number>();
  const [refused, setRefused] = useState<readonly Refused<Item>[]>([]);
  /** Current revisions of records that changed since the dialog opened. */
  const [newer, setNewer] = useState<ReadonlyMap<string, string>>(new Map());
  const done = useRef<string[]>([]);

  const run = async (): Promise<void> => {
    const waiting = items.filter(({ id }) => !done.current.includes(id));
    const stop = new AbortController();
    const failures: Refused<Item>[] = [];
    const found = new Map(newer);
    setRefused([]);
    setProgress(done.current.length);
    const work = async (item: Item): Promise<void> => {
      const { id } = item;
      try {
        await act(item, found.get(id) ?? item.revision);
        done.current.push(id);
      } catch (error) {
        const conflict = isApiError(error, 'conflict') ? error.problem?.conflict : undefined;
        if (isApiError(error, 'not-found') || conflict?.reason === 'deleted') {
          onGone?.(id);
          done.current.push(id);
        } else {
          const current = revised.safeParse(conflict?.current);
          if (current.success) found.set(id, current.data.revision);
          failures.push({ item, error });
          // A missing permission or service affects all records.
          if (!isApiError(error, 'conflict')) stop.abort();
        }
      }
      setProgress(done.current.length);
    };
    await runEach(waiting, parallel, work, stop.signal);
    setProgress(undefined);
    setNewer(found);
    setRefused(failures);
    if (failures.length > 0) return;
    toasts.ok({ title: doneTitle(done.current.length) });
    onClose(done.current);
  };

  const listOf = (some: readonly Item[]): string => {
    const names = some.slice(0, 5).map(nameOf);
    const rest = some.length - names.length;
    return rest > 0 ? `${names.join(', ')} and ${rest.toLocaleString('en')} more` : names.join(', ');
  };
  const [first] = refused;
  const conflicts = refused.filter(({ error }) => isApiError(error, 'conflict'));
  const wordsOfRefused = (): string | undefined => {
    if (first === undefined) return undefined;
    if (conflicts.length === refused.length)
      return `${listOf(refused.map(({ item }) => item))} changed since you looked and ${refused.length === 1 ? 'was' : 'were'} kept. Confirm again to ${again}.`;
    return `${nameOf(first.item)}: ${sentencesOf(first.error)}`;
  };
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen && progress === undefined) onClose(done.current);
      }}
      title={`${label}?`}
      confirmLabel={label}
      {...dialog}
      {...asks}
      isPending={progress !== undefined}
      errorTitle={failureTitle(first?.error)}
      error={wordsOfRefused()}
      onConfirm={() => void run()}
    >
      <div className="flex flex-col gap-3">
        <p>
          In {environment.name}: {listOf(items)}.
        </p>
        {progress !== undefined && (
          <ProgressBar
            label={progressLabel}
            value={progress / items.length}
            valueLabel={`${progress.toLocaleString('en')} of ${items.length.toLocaleString('en')}`}
          />
        )}
      </div>
    </ConfirmDialog>
  );
}
