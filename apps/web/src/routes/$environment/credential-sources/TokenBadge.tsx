import type { VaultAttributes } from '@gatehouse/api-types/console/vault-store';
import { Badge } from '@gatehouse/ui/badge';

const words = {
  current: { label: 'Current', tone: 'ok' },
  renewing: { label: 'Being renewed', tone: 'warn' },
  revoked: { label: 'Revoked', tone: 'danger' },
  expired: { label: 'Expired', tone: 'danger' },
} as const;

function wordsOf(status: string): {
  readonly label: string;
  readonly tone: 'ok' | 'warn' | 'danger' | 'neutral';
} {
  const known = Object.entries(words).find(([name]) => name === status)?.[1];
  return known ?? { label: status === '' ? 'Not reported' : status, tone: 'neutral' };
}

/** A store's token status. */
export function TokenBadge({ attributes }: { attributes: Pick<VaultAttributes, 'token_status'> }) {
  const { label, tone } = wordsOf(attributes.token_status);
  return <Badge tone={tone}>{label}</Badge>;
}
