import type { Session } from '@gatehouse/api-types/console/session';
import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { isApiError } from '../lib/api-error.ts';
import { sessionQuery } from '../queries/session.ts';

/**
 * The session of this browser.
 * @throws a redirect to the sign-in page, which leads back to `href`; ApiError when the server does not answer.
 */
export async function requireSession(queryClient: QueryClient, href: string): Promise<Session> {
  try {
    return await queryClient.ensureQueryData(sessionQuery);
  } catch (error) {
    if (!isApiError(error, 'unauthenticated')) throw error;
    throw redirect({
      to: '/sign-in',
      search: {
        ...(href !== '/' && { return: href }),
        ...(error.problem?.signedOut !== undefined &&
          error.problem.signedOut !== 'none' && { reason: error.problem.signedOut }),
      },
      replace: true,
    });
  }
}
