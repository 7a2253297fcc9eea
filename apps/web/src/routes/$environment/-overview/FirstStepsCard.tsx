import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { Icon } from '@gatehouse/ui/icon';
import { LinkButton } from '@gatehouse/ui/link';
import { VisuallyHidden } from '@gatehouse/ui/visually-hidden';
import { Circle, CircleCheck } from 'lucide-react';
import type { useFirstSteps } from './use-first-steps.ts';

/** The tour or the first steps, until they are done or hidden. */
export function FirstStepsCard({ isTour, title: heading, steps, hide }: ReturnType<typeof useFirstSteps>) {
  if (steps.length === 0) return null;
  return (
    <Card
      isFlush
      title={heading}
      actions={
        <Button size={28} variant="ghost" onPress={hide}>
          Hide
        </Button>
      }
    >
      <ul className="grid grid-cols-1 wide:grid-cols-2">
        {steps.map(({ title, detail, href, action, isDone }) => (
          <li key={title} className="flex min-w-0 items-center gap-3 border-b border-line px-4 py-2">
            {!isTour && (
              <Icon
                icon={isDone === true ? CircleCheck : Circle}
                className={isDone === true ? 'text-ok' : 'text-ink-3'}
              />
            )}
            <p className="min-w-0 flex-1">
              <span className="font-medium text-ink-1">{title}</span>
              {isDone === true && <VisuallyHidden> (done)</VisuallyHidden>}
              <span className="block text-meta text-ink-2">{detail}</span>
            </p>
            {isDone !== true && (
              <LinkButton href={href} size={28}>
                {action}
              </LinkButton>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
