import type { AccessSession } from '@gatehouse/api-types/console/access-sessions';
import { TargetIcon } from '@gatehouse/ui/icon';
import type { MenuEntry } from '@gatehouse/ui/menu';
import { Ban, Copy, Eye } from 'lucide-react';
import { reasonAgainstCancel } from '#components/sessions/session-words.ts';
import { copyText } from '#lib/copy-text.ts';

/** What can be done with one session, with the reason where it cannot. */
export function sessionActions(
  session: AccessSession,
  environment: string,
  { open, cancel }: { open: () => void; cancel: () => void },
): readonly MenuEntry[] {
  return [
    { id: 'open', label: 'Details', icon: Eye, onAction: open },
    {
      id: 'target',
      label: 'Go to the target',
      icon: TargetIcon,
      href: `/${environment}/targets/${encodeURIComponent(session.target_id)}`,
    },
    { id: 'copy-id', label: 'Copy ID', icon: Copy, onAction: () => void copyText(session.id, 'ID') },
    'separator',
    {
      id: 'cancel',
      label: 'Cancel session',
      icon: Ban,
      isDanger: true,
      disabledReason: reasonAgainstCancel(session),
      onAction: cancel,
    },
  ];
}
