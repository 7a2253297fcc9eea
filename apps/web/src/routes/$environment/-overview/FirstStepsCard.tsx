import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { Icon } from '@gatehouse/ui/icon';
import { LinkButton } from '@gatehouse/ui/link';
import { VisuallyHidden } from '@gatehouse/ui/visually-hidden';
import { useNavigate } from '@tanstack/react-router';
import { Ban, Circle, CircleCheck } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { useFirstSteps } from './use-first-steps.ts';

/** The tour or the first steps. */
export function FirstStepsCard({
  isAsked,
  title: heading,
  steps,
  hide,
}: Omit<ReturnType<typeof useFirstSteps>, 'isKnown'>) {
  const card = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const arrive = useEffectEvent(() => {
    card.current?.scrollIntoView({ block: 'start' });
    // So that the palette's command works again.
    void navigate({ to: '.', search: true, replace: true });
  });
  const isShown = steps.length > 0;
  useEffect(() => {
    if (isAsked && isShown) arrive();
  }, [isAsked, isShown]);
  if (!isShown) return null;
  return (
    <div ref={card} className="scroll-mt-4">
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
          {steps.map(({ title, detail, href, action, state }) => (
            <li key={title} className="flex min-w-0 items-center gap-3 border-b border-line px-4 py-2">
              {state !== undefined && (
                <Icon
                  icon={state === 'done' ? CircleCheck : state === 'no-access' ? Ban : Circle}
                  className={state === 'done' ? 'text-ok' : 'text-ink-3'}
                />
              )}
              <p className="min-w-0 flex-1">
                <span className="font-medium text-ink-1">{title}</span>
                {state === 'done' && <VisuallyHidden> (done)</VisuallyHidden>}
                <span className="block text-meta text-ink-2">{detail}</span>
              </p>
              {state === 'no-access' ? (
                <span className="shrink-0 text-meta text-ink-2">No access</span>
              ) : (
                state !== 'done' && (
                  <LinkButton href={href} size={28}>
                    {action}
                  </LinkButton>
                )
              )}
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}
