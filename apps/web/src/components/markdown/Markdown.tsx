import { lazy } from '@gatehouse/ui/lazy';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { Suspense } from 'react';
import type { ResolveLink } from './markdown-fragment.ts';

const MarkdownText = lazy(async () => ({ default: (await import('./MarkdownText.tsx')).MarkdownText }));

/** Untrusted Markdown. Its renderer is loaded on demand. */
export function Markdown({
  text,
  label,
  resolve,
}: {
  text: string;
  label: string;
  /** Resolves links without a host; undefined to show them as text. */
  resolve?: ResolveLink;
}) {
  const waiting = <SkeletonList label={`Rendering the ${label}`} lines={4} />;
  return (
    <Suspense fallback={waiting}>
      <MarkdownText text={text} resolve={resolve} waiting={waiting} />
    </Suspense>
  );
}
