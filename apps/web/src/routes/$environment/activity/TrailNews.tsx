import { Banner } from '@gatehouse/ui/banner';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import type { Trail } from './use-trail.ts';
import { VerificationNews } from './VerificationNews.tsx';

/** What came of what was done with the trail. */
export function TrailNews({ trail: { verify, save, settle } }: { trail: Trail }) {
  const problem = verify.error ?? save.error ?? settle.error;
  return (
    <>
      {verify.data && <VerificationNews verification={verify.data} onClose={verify.reset} />}
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
            ? 'Only an administrator of the environment may check the whole trail.'
            : wordsOf(problem).detail}
        </Banner>
      )}
    </>
  );
}
