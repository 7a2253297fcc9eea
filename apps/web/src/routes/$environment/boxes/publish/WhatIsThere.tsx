import type { PublishRun } from '@gatehouse/api-types/console/publish';
import { Card } from '@gatehouse/ui/card';
import { Icon } from '@gatehouse/ui/icon';
import { Check, CircleDashed } from 'lucide-react';
import { whatIsThere } from '#components/publish/publish-steps.ts';

/** The parts of a run that are in the registry, and those that aren't. */
export function WhatIsThere({ run }: { run: PublishRun }) {
  return (
    <Card title="In the registry">
      <ul className="grid grid-cols-1 gap-x-6 gap-y-1 narrow:grid-cols-2">
        {whatIsThere(run).map(({ text, isThere }) => (
          <li key={text} className="flex items-start gap-2 text-body text-ink-1">
            <Icon
              icon={isThere ? Check : CircleDashed}
              size={14}
              className={`mt-0.75 ${isThere ? 'text-ok' : 'text-ink-3'}`}
            />
            <span className="min-w-0 wrap-anywhere">
              {text}
              {!isThere && (
                <span className="text-ink-2">
                  : {run.state === 'open' ? 'not yet' : 'not in the registry'}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
