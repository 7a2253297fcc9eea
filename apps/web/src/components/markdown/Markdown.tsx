import { lazy } from '@gatehouse/ui/lazy';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { Suspense } from 'react';
import type { ResolveLink } from './markdown-fragment.ts';

const MarkdownText = lazy(async () => ({ default: (await import('./MarkdownText.tsx')).MarkdownText }));

/** A text in Markdown that others wrote; what renders it is fetched when there is one. */
export function Markdown({
  text,
  label,
  resolve,
}: {
  text: string;
  label: string;
  /** Where links without a host lead; without it they are text. */
  resolve?: ResolveLink;
}) {
  const waiting = <SkeletonList label={`Rendering the ${label}`} lines={4} />;
  return (
    <Suspense fallback={waiting}>
      <MarkdownText text={text} resolve={resolve} waiting={waiting} />
    </Suspense>
  );
}
