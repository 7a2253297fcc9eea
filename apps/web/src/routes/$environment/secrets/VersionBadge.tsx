import type { VersionState } from '@gatehouse/api-types/console/secrets';
import { Badge } from '@gatehouse/ui/badge';
import { useNow } from '@gatehouse/ui/time';
import { formatRelative } from '@gatehouse/ui/time';

/** What became, or will become, of a version; nothing where it is as it was written. */
export function VersionBadge({ state, deletionTime }: { state: VersionState; deletionTime: string }) {
  const now = useNow();
  switch (state) {
    case 'readable':
      return null;
    case 'scheduled':
      return <Badge tone="warn">Will be deleted {formatRelative(deletionTime, now)}</Badge>;
    case 'deleted':
      return <Badge tone="warn">Deleted</Badge>;
    case 'destroyed':
      return <Badge tone="danger">Destroyed</Badge>;
  }
}
