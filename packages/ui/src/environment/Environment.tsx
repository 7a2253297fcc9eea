import { clsx } from 'clsx';

/** The kind of an environment, which determines its color. */
export type EnvironmentKind = 'production' | 'staging' | 'development';

export interface EnvironmentProps {
  kind: EnvironmentKind;
  /** The configured name, never abbreviated. */
  name: string;
}

/** The gate rail: a bar of 6 px along the window that shows the environment, hatched for staging. */
export function GateRail({ kind }: Pick<EnvironmentProps, 'kind'>) {
  return <div aria-hidden data-environment={kind} className="gate-rail h-full shrink-0" />;
}

/** An environment's name on its color. */
export function EnvironmentBadge({ kind, name }: EnvironmentProps) {
  return (
    <span
      data-environment={kind}
      className={clsx(
        'environment-badge inline-flex h-5 max-w-full shrink-0 items-center rounded-tag pe-1.5 text-meta font-medium',
        // Only the leading edge is hatched, because text needs a plain background.
        kind === 'staging' ? 'ps-4.5' : 'ps-1.5',
      )}
    >
      <span className="truncate">{name}</span>
    </span>
  );
}
