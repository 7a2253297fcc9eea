import type { MoveKind } from '@gatehouse/api-types/console/move-values';
import { useQuery } from '@tanstack/react-query';
import { boxAccountQuery } from '#queries/box-accounts.ts';
import { modulesMayQuery } from '#queries/modules.ts';
import { reasonAgainstAnyPublishing } from '../boxes/may.ts';
import { reasonAgainstPublishing } from '../modules/-manage/may.ts';

/** Why the user can't import; undefined if they can, or if it isn't known. */
export function useCannotImport(environment: string, kind: MoveKind): string | undefined {
  const account = useQuery({ ...boxAccountQuery(environment), enabled: kind === 'boxes' });
  const may = useQuery({ ...modulesMayQuery(environment), enabled: kind === 'modules' });
  if (kind === 'modules') return reasonAgainstPublishing(may.data ?? null);
  return account.data && reasonAgainstAnyPublishing(account.data);
}
