import type { ModuleContent } from '@gatehouse/api-types/console/modules';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { lazy } from '@gatehouse/ui/lazy';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useId } from 'react';
import { wordsOf } from '#lib/error-words.ts';
import { moduleVersionQuery, type ModulePlace } from '#queries/modules.ts';
import type { SilentBreak } from './next-version.ts';

const UpgradeDiff = lazy(async () => ({
  default: (await import('#routes/$environment/modules/-upgrade/UpgradeDiff.tsx')).UpgradeDiff,
}));

/** What the new version changes for users of the previous one. */
export function Before({
  place,
  before,
  content,
}: {
  place: ModulePlace;
  /** The previous version's number. */
  before: string;
  content: ModuleContent;
}) {
  const titleId = useId();
  const query = useQuery(moduleVersionQuery(place, before));
  const loading = <SkeletonList label={`Loading version ${before}`} lines={4} />;
  return (
    <div role="group" aria-labelledby={titleId} className="flex flex-col gap-3">
      <h2 id={titleId} className="text-heading font-semibold text-ink-1">
        Compared with {before}
      </h2>
      {query.data !== undefined ? (
        <Suspense fallback={loading}>
          <UpgradeDiff from={query.data.content} to={content} />
        </Suspense>
      ) : query.isError ? (
        <p className="text-body text-ink-2">
          Version {before} can't be read, so this version isn't compared with it.{' '}
          {wordsOf(query.error).detail}
        </p>
      ) : (
        loading
      )}
    </div>
  );
}

/** Warns of a breaking version that callers get without choosing it. */
export function SilentBreakNote({
  title,
  detail,
  instead,
  onUse,
}: SilentBreak & { onUse: (version: string) => void }) {
  return (
    <Banner
      tone="warn"
      title={title}
      actions={
        <Button
          size={28}
          onPress={() => {
            onUse(instead);
          }}
        >
          Use {instead}
        </Button>
      }
    >
      {detail}
    </Banner>
  );
}
