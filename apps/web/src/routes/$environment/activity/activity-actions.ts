import type { ActivityEntry } from '@gatehouse/api-types/console/activity';
import type { MenuEntry } from '@gatehouse/ui/menu';
import { Copy, Eye, Link } from 'lucide-react';
import { copyText } from '#lib/copy-text.ts';
import { resourceHref } from './resource-href.ts';

/** The actions on one entry. */
export function activityActions(
  entry: ActivityEntry,
  environment: string,
  {
    open,
    sameRecord,
    samePerson,
    sameTime,
  }: Readonly<Record<'open' | 'sameRecord' | 'samePerson' | 'sameTime', (entry: ActivityEntry) => void>>,
): readonly MenuEntry[] {
  const href = resourceHref(entry, environment);
  const run = (action: (entry: ActivityEntry) => void) => (): void => {
    action(entry);
  };
  return [
    { id: 'open', label: 'Details', icon: Eye, onAction: run(open) },
    ...(href === undefined ? [] : [{ id: 'resource', label: 'Go to the record', href }]),
    {
      id: 'same-record',
      label: 'All activity on this record',
      disabledReason: entry.resource.id === '' ? 'The record is unknown.' : undefined,
      onAction: run(sameRecord),
    },
    {
      id: 'same-person',
      label: 'All activity by this user',
      disabledReason: entry.person.login_name === '' ? 'No one was signed in.' : undefined,
      onAction: run(samePerson),
    },
    { id: 'same-time', label: 'All activity around this time', onAction: run(sameTime) },
    'separator',
    {
      id: 'copy-link',
      label: 'Copy link',
      icon: Link,
      onAction: () =>
        void copyText(
          `${window.location.origin}/${environment}/activity?entry=${String(entry.sequence)}`,
          'Link',
        ),
    },
    {
      id: 'copy-request',
      label: 'Copy request ID',
      icon: Copy,
      onAction: () => void copyText(entry.request_id, 'Request ID'),
    },
  ];
}
