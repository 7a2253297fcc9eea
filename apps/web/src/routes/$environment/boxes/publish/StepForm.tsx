import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import type { ReactNode } from 'react';
import { wordsOf } from '../../../../lib/error-words.ts';

/** The frame of one step: what it asks, what refused it, and the button that does it. */
export function StepForm({
  title,
  intro,
  children,
  failure,
  submitLabel,
  isPending,
  disabledReason,
  extra,
  onSubmit,
}: {
  title: string;
  intro?: ReactNode;
  children: ReactNode;
  failure?: unknown;
  submitLabel: string;
  isPending: boolean;
  disabledReason?: string | undefined;
  /** Before the button. */
  extra?: ReactNode;
  onSubmit: () => void;
}) {
  return (
    <form
      noValidate
      aria-label={title}
      className="flex min-w-0 flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending && disabledReason === undefined) onSubmit();
      }}
    >
      <div className="flex flex-col gap-1">
        <h2 className="text-heading font-semibold text-ink-1">{title}</h2>
        {intro !== undefined && <p className="max-w-160 text-body text-ink-2">{intro}</p>}
      </div>
      {children}
      {failure !== undefined && failure !== null && <StepFailure error={failure} />}
      <div className="flex flex-wrap items-center justify-end gap-3 border-t border-line pt-4">
        {extra}
        <Button type="submit" variant="primary" isPending={isPending} disabledReason={disabledReason}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}

/** Why a step was not done. */
export function StepFailure({ error }: { error: unknown }) {
  const { title, detail, mend, requestId } = wordsOf(error);
  return (
    <Banner tone="danger" title={title}>
      {detail} {mend}
      {requestId !== undefined && <span className="font-mono text-meta"> Request {requestId}</span>}
    </Banner>
  );
}
