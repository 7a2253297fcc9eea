import { Card } from '@gatehouse/ui/card';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { counted } from '#lib/counted.ts';
import { wordsOf } from '#lib/error-words.ts';
import { LinkedRecords } from '../record/DetailCard.tsx';

export interface UsedByTargetsProps {
  environment: string;
  query: UseQueryResult;
  /** Undefined until loaded. */
  targets: readonly { id: string; name: string; detail?: ReactNode }[] | undefined;
  /** The text if there are none. */
  none: string;
  actions?: ReactNode;
  footer?: ReactNode;
}

/** A list of targets that use something. */
export function UsedByTargets({ environment, query, targets, none, actions, footer }: UsedByTargetsProps) {
  const isUsed = targets !== undefined && targets.length > 0;
  return (
    <Card
      title={isUsed ? `Used by ${counted(targets.length, 'target')}` : 'Used by'}
      isFlush
      actions={actions}
      footer={footer}
    >
      {query.isPending && (
        <div className="p-4">
          <SkeletonList label="Checking which targets use it" lines={2} />
        </div>
      )}
      {query.isError && targets === undefined && (
        <p className="p-4 text-body text-danger">
          Couldn't check which targets use it. {wordsOf(query.error).detail}
        </p>
      )}
      {targets?.length === 0 && <p className="p-4 text-body text-ink-2">{none}</p>}
      {isUsed && (
        <LinkedRecords
          label="Targets that use it"
          items={targets.map((target) => ({
            ...target,
            href: `/${environment}/targets/${encodeURIComponent(target.id)}`,
          }))}
        />
      )}
    </Card>
  );
}
