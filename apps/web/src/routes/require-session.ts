import type { Session } from '@gatehouse/api-types/console/session';
import { redirect } from '@tanstack/react-router';
import { isApiError } from '../lib/api-error.ts';
import { queryClient } from '../lib/query-client.ts';
import { sessionQuery } from '../queries/session.ts';

/**
 * The session of this browser.
 * @throws a redirect to the sign-in page, which leads back to `href`; ApiError when the server does not answer.
 */
export async function requireSession(href: string): Promise<Session> {
  try {
    return await queryClient.ensureQueryData(sessionQuery);
  } catch (error) {
    if (!isApiError(error, 'unauthenticated')) throw error;
    throw redirect({
      to: '/sign-in',
      search: {
        ...(href !== '/' && { return: href }),
        reason: error.problem?.signedOut ?? 'none',
      },
      replace: true,
    });
  }
}
