import { Card } from '@gatehouse/ui/card';
import type { ShownModule } from './shown-module.ts';

/** Shown in place of content that could not be read. */
export function NotRead({ shown: { version } }: { shown: ShownModule }) {
  const { reason } = version.content;
  return (
    <Card title="Contents not read">
      <p className="text-body text-ink-1">
        {reason === '' ? "The registry reports nothing about this version's contents." : reason}
      </p>
      <p className="mt-1 text-body text-ink-2">Clients can still fetch this version.</p>
    </Card>
  );
}
