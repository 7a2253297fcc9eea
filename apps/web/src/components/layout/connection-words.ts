import type { ConnectionState } from '@gatehouse/api-types/console/session';
import type { StatusDotProps } from '@gatehouse/ui/badge';

/** Words and colors of connection states. */
export const connectionWords: Readonly<
  Record<ConnectionState, { readonly word: string; readonly tone: StatusDotProps['tone'] }>
> = {
  connected: { word: 'Connected', tone: 'ok' },
  'not-connected': { word: 'Not connected', tone: 'neutral' },
  'no-access': { word: 'No access', tone: 'neutral' },
  expired: { word: 'Token expired', tone: 'warn' },
  unreachable: { word: 'Unreachable', tone: 'danger' },
  sealed: { word: 'Sealed', tone: 'danger' },
  standby: { word: 'Standby', tone: 'warn' },
};
