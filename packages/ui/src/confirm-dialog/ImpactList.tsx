import { CircleX, Info, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '../icon/Icon.tsx';

export interface Impact {
  /** `breaks`: stops working. `worth-knowing`: continues differently. `updates-itself`: needs no action. */
  kind: 'breaks' | 'worth-knowing' | 'updates-itself';
  text: ReactNode;
}

const kinds = [
  { kind: 'breaks', title: 'Will break', icon: CircleX, tone: 'text-danger' },
  { kind: 'worth-knowing', title: 'Worth knowing', icon: Info, tone: 'text-info' },
  { kind: 'updates-itself', title: 'Will update automatically', icon: RefreshCw, tone: 'text-ok' },
] as const;

/** The effects of a dangerous action on others, worst first. */
export function ImpactList({ impacts }: { impacts: readonly Impact[] }) {
  return (
    <dl className="flex flex-col gap-3 rounded-control border border-line bg-surface px-3 py-2 text-body">
      {kinds
        .map((group) => ({ ...group, found: impacts.filter((impact) => impact.kind === group.kind) }))
        .filter(({ found }) => found.length > 0)
        .map(({ kind, title, icon, tone, found }) => (
          <div key={kind} className="flex flex-col gap-0.5">
            <dt className={`flex items-center gap-1.5 font-medium ${tone}`}>
              <Icon icon={icon} size={14} />
              {title}
            </dt>
            {found.map((impact, index) => (
              <dd key={index} className="ps-5 text-ink-1">
                {impact.text}
              </dd>
            ))}
          </div>
        ))}
    </dl>
  );
}
