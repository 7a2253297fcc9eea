import { Banner } from '@gatehouse/ui/banner';
import { lazy } from '@gatehouse/ui/lazy';
import { Suspense } from 'react';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import type { Trail } from './use-trail.ts';

const VerificationNews = lazy(async () => ({
  default: (await import('./VerificationNews.tsx')).VerificationNews,
}));

/** What came of what was done with the trail. */
export function TrailNews({ trail: { verify, save, settle } }: { trail: Trail }) {
  const problem = verify.error ?? save.error ?? settle.error;
  return (
    <>
      {verify.data && (
        <Suspense fallback={null}>
          <VerificationNews verification={verify.data} onClose={verify.reset} />
        </Suspense>
      )}
      {problem && (
        <Banner
          tone="danger"
          title={wordsOf(problem).title}
          onClose={() => {
            verify.reset();
            save.reset();
            settle.reset();
          }}
        >
          {verify.error && isApiError(verify.error, 'forbidden')
            ? 'Only an administrator of the environment can verify the whole trail.'
            : wordsOf(problem).detail}
        </Banner>
      )}
    </>
  );
}
