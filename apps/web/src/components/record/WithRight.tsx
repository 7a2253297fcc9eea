import { ErrorState } from '@gatehouse/ui/error-state';
import type { IconType } from '@gatehouse/ui/icon';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import type { UseQueryResult } from '@tanstack/react-query';
import { Lock, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { usePageTitle } from '../environment/use-page-title.ts';
import { Waiting } from './Waiting.tsx';

export interface WithRightProps {
  icon?: IconType;
  title: string;
  /** `host catalogs` */
  many: string;
  ancestors: readonly { id: string; label: string; href: string }[];
  listHref: string;
  /** Queries that the form needs. */
  queries: readonly Pick<UseQueryResult, 'data' | 'isError' | 'error' | 'refetch'>[];
  /** Why the user can't create one; meaningful once loaded. */
  reason: string | undefined;
  children: () => ReactNode;
}

/** The page that creates a record, once the user's permission is known; otherwise the reason. */
export function WithRight({
  icon = Plus,
  title,
  many,
  ancestors,
  listHref,
  queries,
  reason,
  children,
}: WithRightProps) {
  usePageTitle(title);
  const failed = queries.find(({ data, isError }) => data === undefined && isError);
  const isReady = queries.every(({ data }) => data !== undefined);
  if (isReady && reason === undefined) return children();
  const toList = <LinkButton href={listHref}>Go to the list</LinkButton>;
  return (
    <>
      <PageHeader icon={icon} title={title} ancestors={ancestors} />
      {isReady ? (
        <ErrorState icon={Lock} title={`You can't create ${many}`} why={reason} action={toList} />
      ) : (
        <Waiting query={failed} label="Loading the form" action={toList} />
      )}
    </>
  );
}
