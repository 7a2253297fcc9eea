import type { ReactNode } from 'react';
import { CopyButton } from '../copy-button/CopyButton.tsx';
import { Icon, type IconType } from '../icon/Icon.tsx';

export interface EmptyStateProps {
  icon: IconType;
  /** What is missing: `No targets in this project`. */
  title: string;
  /** What it is for, in a sentence for first-time users. */
  children?: ReactNode;
  /** The next step: a primary button, or a link that looks like one. Required, so that no empty state is a dead end. */
  action: ReactNode;
  /** The equivalent command, exactly as typed; undefined if there is none. */
  command: string | undefined;
}

/** Shown when nothing exists yet, with the next step. */
export function EmptyState({ icon, title, children, action, command }: EmptyStateProps) {
  return (
    <div className="mx-auto flex w-full max-w-120 flex-col items-center gap-4 px-4 py-12 text-center">
      <span className="text-ink-3">
        <Icon icon={icon} size={32} />
      </span>
      <div className="flex flex-col gap-1">
        <h2 className="text-heading font-semibold text-ink-1">{title}</h2>
        {children !== undefined && <p className="text-body text-balance text-ink-2">{children}</p>}
      </div>
      {action}
      {command !== undefined && (
        <div className="flex w-full max-w-full min-w-0 items-center gap-2 rounded-control border border-line bg-sunken ps-3 pe-0.5 text-start">
          <code className="min-w-0 flex-1 py-1.5 font-mono text-meta/5 text-ink-1 wrap-anywhere">
            {command}
          </code>
          <CopyButton text={command} label="Copy command" />
        </div>
      )}
    </div>
  );
}

export interface NoMatchesProps {
  /** The search: `No targets match "db"`. */
  title: string;
  /** How to find more, usually a button that clears the search. */
  action: ReactNode;
}

/** Shown when a search or filter matches nothing. */
export function NoMatches({ title, action }: NoMatchesProps) {
  return (
    <div className="flex w-full flex-col items-center gap-3 px-4 py-12 text-center">
      <p className="text-body text-ink-2">{title}</p>
      {action}
    </div>
  );
}
