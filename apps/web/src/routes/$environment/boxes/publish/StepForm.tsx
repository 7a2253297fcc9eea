import type { PublishPlan, PublishRun } from '@gatehouse/api-types/console/publish';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { lazy } from '@gatehouse/ui/lazy';
import { Suspense, type ReactNode } from 'react';
import { DirtyGuard } from '#components/form/DirtyGuard.tsx';
import { mayAskBeforeLeaving } from '#lib/dirty-guard.ts';
import { wordsOf } from '#lib/error-words.ts';
import type { PlanEdit } from './use-plan-edit.ts';
import type { StepRun } from './use-step.ts';
import { WhatIsThere } from './WhatIsThere.tsx';

// Two windows with the same plan are rare.
const PlanConflict = lazy(async () => ({
  default: (await import('./PlanConflict.tsx')).PlanConflict,
}));

/** The frame of a step: fields, errors and submit button. */
export function StepForm({
  title,
  intro,
  children,
  step,
  run,
  unsaved = 0,
  edit,
  values,
  renderEditor,
  submitLabel,
  disabledReason,
  onSubmit,
}: {
  title: string;
  intro?: ReactNode;
  children: ReactNode;
  step: StepRun;
  /** Shows after a failure what is in the registry; undefined before anything can be. */
  run: PublishRun | undefined;
  /** The number of changes that leaving would lose. */
  unsaved?: number;
  /** The step's plan, which other windows may change too. */
  edit?: PlanEdit;
  /** The plan in the form. */
  values?: PublishPlan;
  /** The field at a path of the plan, to resolve a conflict with another value. */
  renderEditor?: (path: readonly string[]) => ReactNode;
  submitLabel: string;
  disabledReason?: string | undefined;
  onSubmit: () => void;
}) {
  const hasFailed = step.failure !== undefined && step.failure !== null;
  return (
    <form
      noValidate
      aria-label={title}
      className="flex min-w-0 flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!step.isPending && disabledReason === undefined) onSubmit();
      }}
    >
      <DirtyGuard
        wouldLose={() => unsaved > 0 && !step.hasLeft() && mayAskBeforeLeaving()}
        count={unsaved}
        coversSearch
      />
      <div className="flex flex-col gap-1">
        <h2 className="text-heading font-semibold text-ink-1">{title}</h2>
        {intro !== undefined && <p className="max-w-160 text-body text-ink-2">{intro}</p>}
      </div>
      {edit !== undefined && edit.conflict.kind === 'changed' && values !== undefined && (
        <Suspense fallback={null}>
          <PlanConflict edit={edit} state={edit.conflict} values={values} renderEditor={renderEditor} />
        </Suspense>
      )}
      {children}
      {hasFailed && <StepFailure error={step.failure} />}
      {hasFailed && run !== undefined && <WhatIsThere run={run} />}
      <div className="flex flex-wrap items-center justify-end gap-3 border-t border-line pt-4">
        <Button type="submit" variant="primary" isPending={step.isPending} disabledReason={disabledReason}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}

/** Why a step failed, and what to do. */
function StepFailure({ error }: { error: unknown }) {
  const { title, detail, mend, requestId } = wordsOf(error);
  return (
    <Banner tone="danger" title={title}>
      {detail} {mend} Your entries are kept, and retrying is safe.
      {requestId !== undefined && <span className="font-mono text-meta"> Request {requestId}</span>}
    </Banner>
  );
}
