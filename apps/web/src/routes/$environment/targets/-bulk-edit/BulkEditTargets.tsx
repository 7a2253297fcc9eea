import * as at from '@gatehouse/api-types/console/addresses/access';
import type { Environment } from '@gatehouse/api-types/console/session';
import type { Target, TargetFields } from '@gatehouse/api-types/console/targets';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Dialog } from '@gatehouse/ui/dialog';
import { ProgressBar } from '@gatehouse/ui/progress-bar';
import { TextField } from '@gatehouse/ui/text-field';
import { toasts } from '@gatehouse/ui/toast';
import { useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useAskToLeave } from '#components/form/use-ask-to-leave.tsx';
import { useLadder } from '#components/guards/use-ladder.ts';
import { blankTarget } from '../target-form.ts';
import { anyTargetForm, bulkFields, withValues, type BulkPath, type BulkValues } from './bulk-plan.ts';
import { BulkFields } from './BulkFields.tsx';
import { BulkReview } from './BulkReview.tsx';
import { useBulkEdit, type BulkCounts } from './use-bulk-edit.ts';

export interface BulkEditTargetsProps {
  environment: Environment;
  targets: readonly Target[];
  /** Called with the IDs of the targets that were saved. */
  onClose: (saved: readonly string[]) => void;
}

/** Edits many targets: choose fields and values, review each target, then write. */
export function BulkEditTargets({ environment, targets, onClose }: BulkEditTargetsProps) {
  const [blank] = useState<TargetFields>(() => {
    const { scope_id: _scope, type: _type, ...fields } = blankTarget('ssh', '');
    return fields;
  });
  // Errors stay until the next review: clearing them on blur would move the button while it is clicked.
  const form = useForm<TargetFields>({
    defaultValues: blank,
    mode: 'onSubmit',
    reValidateMode: 'onSubmit',
  });
  const [chosen, setChosen] = useState<readonly BulkPath[]>([]);
  const [typed, setTyped] = useState('');
  const edit = useBulkEdit(environment.id);
  const { rows, counts } = edit;
  const fields = useMemo(() => bulkFields.filter(({ path }) => chosen.includes(path)), [chosen]);
  const many = targets.length === 1 ? '1 target' : `${targets.length.toLocaleString('en')} targets`;

  /** The chosen values. Undefined if some are invalid for all targets, which marks their fields. */
  const readValues = (): BulkValues | undefined => {
    const values = new Map(chosen.map((path) => [path, form.getValues(path) as unknown]));
    const issues = anyTargetForm.schema
      .safeParse(withValues({ ...blank, name: 'x' }, values))
      .error?.issues.filter(({ path }) => chosen.some((one) => one === path.join('.')));
    form.clearErrors();
    for (const { path, message } of issues ?? [])
      form.setError(path.join('.') as BulkPath, { message }, { shouldFocus: true });
    return issues === undefined || issues.length === 0 ? values : undefined;
  };
  const leave = (): void => {
    onClose(edit.savedIds);
    if (counts.saved > 0) {
      const rest = counts.open + counts.problems;
      toasts.ok({
        title: `${counts.saved.toLocaleString('en')} ${counts.saved === 1 ? 'target' : 'targets'} changed`,
        ...(rest > 0 && {
          detail: `${rest.toLocaleString('en')} not confirmed as saved, and still selected.`,
        }),
      });
    }
  };
  const { askToLeave, asking } = useAskToLeave({
    question: `Discard ${chosen.length === 1 ? 'the field' : `the ${String(chosen.length)} fields`} that you set?`,
    wouldLose: chosen.length > 0 && counts.saved === 0,
    leave,
  });

  const confirmation = `edit ${String(counts.open)}`;
  const { asks } = useLadder(at.targets.update.harm, confirmation, counts.open);
  const asksForName = asks.typedName !== undefined && counts.saved === 0;
  const isUnconfirmed = asksForName && typed.trim() !== asks.typedName;
  return (
    <Dialog
      isOpen
      onOpenChange={() => {
        if (!edit.isRunning) askToLeave();
      }}
      size="large"
      title={`Edit ${many}`}
      description={
        rows === undefined
          ? `In ${environment.name}. You can review the changes to each target before anything is written.`
          : `In ${environment.name}. Changes by others aren't overwritten.`
      }
      onSubmit={(event) => {
        event.preventDefault();
        if (rows !== undefined) return;
        const values = readValues();
        if (values && values.size > 0) edit.plan(targets, values);
      }}
      footer={
        asking ??
        (rows === undefined ? (
          <>
            <Button onPress={askToLeave}>Cancel</Button>
            <Button
              key="review"
              type="submit"
              variant="primary"
              disabledReason={chosen.length === 0 ? 'First choose a field to set.' : undefined}
            >
              Review changes
            </Button>
          </>
        ) : edit.isRunning ? (
          <Button key="stop" autoFocus onPress={edit.stop} isPending={edit.isStopping}>
            Stop
          </Button>
        ) : (
          <>
            {counts.saved === 0 && counts.problems === 0 && (
              <Button onPress={edit.back} variant="ghost">
                Back to the fields
              </Button>
            )}
            <Button onPress={askToLeave}>{counts.saved > 0 ? 'Done' : 'Cancel'}</Button>
            {counts.changed > 0 && (
              <Button onPress={edit.runChanged}>
                Apply to {counts.changed === 1 ? 'the one' : `the ${counts.changed.toLocaleString('en')}`}{' '}
                that changed
              </Button>
            )}
            {counts.open > 0 && (
              <Button
                key="run"
                variant="primary"
                autoFocus={!isUnconfirmed}
                disabledReason={isUnconfirmed ? `Type "${confirmation}" first.` : undefined}
                onPress={edit.run}
              >
                {counts.begun === 0
                  ? `Change ${counts.open.toLocaleString('en')} ${counts.open === 1 ? 'target' : 'targets'}`
                  : counts.retried > 0
                    ? `Retry ${counts.open.toLocaleString('en')}`
                    : `Continue with ${counts.open.toLocaleString('en')}`}
              </Button>
            )}
          </>
        ))
      }
    >
      {rows === undefined ? (
        <BulkFields targets={targets} form={form} chosen={chosen} onChoose={setChosen} />
      ) : (
        <div className="flex flex-col gap-4">
          {edit.isRunning && (
            <ProgressBar
              label={edit.isStopping ? 'Stopping after the current targets' : 'Saving'}
              value={edit.progress.total === 0 ? 1 : edit.progress.done / edit.progress.total}
              valueLabel={`${edit.progress.done.toLocaleString('en')} of ${edit.progress.total.toLocaleString('en')}`}
            />
          )}
          {!edit.isRunning && counts.begun > 0 && <Report {...counts} />}
          {!edit.isRunning && counts.begun === 0 && counts.open === 0 && (
            <Banner tone="info" title="Nothing would change">
              The targets already have these values, or can't have them.
            </Banner>
          )}
          <BulkReview rows={rows} fields={fields} />
          {asksForName && counts.open > 0 && !edit.isRunning && (
            <TextField
              label={`Type "${confirmation}" to change them in production`}
              description={asks.note}
              value={typed}
              onChange={setTyped}
              autoComplete="off"
              spellCheck="false"
              isMono
            />
          )}
        </div>
      )}
    </Dialog>
  );
}

function Report({ saved, open, unknown, problems, impossible }: BulkCounts) {
  const isDone = open === 0 && problems === 0;
  const parts = [
    `${saved.toLocaleString('en')} saved`,
    ...(problems > 0 ? [`${problems.toLocaleString('en')} changed or deleted by others`] : []),
    ...(open > unknown ? [`${(open - unknown).toLocaleString('en')} not written`] : []),
    ...(unknown > 0 ? [`${unknown.toLocaleString('en')} with unknown outcome`] : []),
    ...(impossible > 0 ? [`${impossible.toLocaleString('en')} not possible`] : []),
  ];
  return (
    <Banner
      tone={isDone ? 'ok' : 'warn'}
      title={
        isDone
          ? impossible > 0
            ? 'All possible changes saved'
            : 'All changes saved'
          : unknown > 0
            ? 'Some outcomes are unknown'
            : 'Some changes were not saved'
      }
    >
      {parts.join(', ')}.
    </Banner>
  );
}
