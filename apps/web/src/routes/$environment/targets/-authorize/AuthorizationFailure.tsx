import { Banner } from '@gatehouse/ui/banner';
import { Link } from '@gatehouse/ui/link';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { libraryHref, storeHref } from '#components/places/credential-sources.ts';
import { isApiError, isUnknownOutcome } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';

export interface AuthorizationFailureProps {
  error: unknown;
  /** The words for an unknown target, if it was entered by name. */
  notFound?: { readonly title: string; readonly detail: string };
}

/** Why no session was authorized, with a link to the library that returned no credential. */
export function AuthorizationFailure({ error, notFound }: AuthorizationFailureProps) {
  const environment = useEnvironment();
  const words = wordsOf(error);
  const failed = isApiError(error, 'invalid-request') ? error.problem?.failedSource : undefined;
  if (notFound && isApiError(error, 'not-found')) {
    return (
      <Banner tone="danger" title={notFound.title}>
        {notFound.detail}
      </Banner>
    );
  }
  return (
    <Banner tone="danger" title={words.title}>
      {words.detail} {words.mend} {isUnknownOutcome(error) && 'Check the list of sessions.'}
      {failed && (
        <span className="flex flex-wrap gap-x-4 pt-1">
          <Link href={libraryHref(environment.id, failed.credential_store_id, failed.library_id)}>
            Open the library
          </Link>
          <Link href={storeHref(environment.id, failed.credential_store_id)}>Open the store</Link>
        </span>
      )}
    </Banner>
  );
}
