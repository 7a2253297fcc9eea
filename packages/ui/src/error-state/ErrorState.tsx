import { OctagonAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { CopyButton } from '../copy-button/CopyButton.tsx';
import { Icon, type IconType } from '../icon/Icon.tsx';

export interface ErrorStateProps {
  /** What happened: `Targets could not be loaded`. */
  title: string;
  /** Why. */
  why: ReactNode;
  /** What to do. */
  mend?: ReactNode;
  /** The request's ID, which finds the failure in the logs. */
  requestId?: string | undefined;
  /** Retry, sign in, go back. */
  action?: ReactNode;
  /** Forbidden and not found have their own icons. */
  icon?: IconType;
}

/** Shown when something could not be loaded: what happened, why, what to do. */
export function ErrorState({ title, why, mend, requestId, action, icon = OctagonAlert }: ErrorStateProps) {
  return (
    <div role="alert" className="mx-auto flex w-full max-w-120 flex-col items-start gap-3 px-4 py-12">
      <span className="text-danger">
        <Icon icon={icon} size={24} />
      </span>
      <div className="flex flex-col gap-1">
        <h2 className="text-heading font-semibold text-ink-1">{title}</h2>
        <p className="text-body text-ink-1 wrap-anywhere">{why}</p>
        {mend !== undefined && <p className="text-body text-ink-2 wrap-anywhere">{mend}</p>}
      </div>
      {action !== undefined && <div className="flex flex-wrap gap-2">{action}</div>}
      {requestId !== undefined && (
        <div className="flex items-center gap-1 text-meta text-ink-3">
          <span>
            Request <span className="font-mono wrap-anywhere">{requestId}</span>
          </span>
          <CopyButton text={requestId} label="Copy request ID" />
        </div>
      )}
    </div>
  );
}
