import { clsx } from 'clsx';

/** What an environment is for; its colour follows from it. */
export type EnvironmentKind = 'production' | 'staging' | 'development';

export interface EnvironmentProps {
  kind: EnvironmentKind;
  /** As the configuration calls it: always written out. */
  name: string;
}

/** The bar of 6 px along the whole window that says where one is, hatched for staging. */
export function GateRail({ kind }: Pick<EnvironmentProps, 'kind'>) {
  return <div aria-hidden data-environment={kind} className="gate-rail h-full shrink-0" />;
}

/** An environment's name on its colour. */
export function EnvironmentBadge({ kind, name }: EnvironmentProps) {
  return (
    <span
      data-environment={kind}
      className={clsx(
        'environment-badge inline-flex h-5 max-w-full shrink-0 items-center rounded-tag pe-1.5 text-meta font-medium',
        // The hatching keeps the leading edge; letters need an even ground.
        kind === 'staging' ? 'ps-4.5' : 'ps-1.5',
      )}
    >
      <span className="truncate">{name}</span>
    </span>
  );
}
