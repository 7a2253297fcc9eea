import { Card } from '@gatehouse/ui/card';
import { Icon } from '@gatehouse/ui/icon';
import { LinkButton } from '@gatehouse/ui/link';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { Check } from './use-matters.ts';

/** Lists what needs attention, and what was checked. */
export function AttentionCard({ checks }: { checks: readonly Check[] }) {
  const matters = checks.flatMap((check) => check.matters);
  const isClean = matters.length === 0 && checks.every(({ state }) => state === 'checked');
  return (
    <Card title="Needs attention" isFlush>
      <ul aria-label="Needs attention">
        {matters.map(({ id, title, detail, href, action }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2">
            <Icon icon={TriangleAlert} className="text-warn" />
            <p className="min-w-0 flex-1 basis-60">
              <span className="font-medium text-ink-1">{title}</span>
              <span className="block text-meta text-ink-2">{detail}</span>
            </p>
            <LinkButton href={href} size={28}>
              {action}
            </LinkButton>
          </li>
        ))}
      </ul>
      <p className="flex items-center gap-2 px-4 py-3 text-ink-2">
        {isClean && <Icon icon={CircleCheck} className="shrink-0 text-ok" />}
        {checkedWords(checks, matters.length === 0)}
      </p>
    </Card>
  );
}

/** What was checked, is being checked, and couldn't be checked. */
function checkedWords(checks: readonly Check[], isClean: boolean): string {
  const named = (state: Check['state']): string | undefined => {
    const names = checks.filter((check) => check.state === state).map(({ name }) => name);
    return names.length === 0 ? undefined : new Intl.ListFormat('en').format(names);
  };
  const [checked, checking, failed] = [named('checked'), named('checking'), named('failed')];
  return [
    checked !== undefined && `${isClean ? 'Nothing found in' : 'Checked:'} ${checked}.`,
    checking !== undefined && `Checking ${checking}.`,
    failed !== undefined && `Couldn't check ${failed}.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}
