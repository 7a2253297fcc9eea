import type { Session } from '@gatehouse/api-types/console/session';
import { redirect } from '@tanstack/react-router';
import { queryClient } from '../lib/query-client.ts';
import { SignedOut } from '../lib/session.ts';
import { sessionQuery } from '../queries/session.ts';

/**
 * The session of this browser.
 * @throws a redirect to the sign-in page, which leads back to `href`; ApiError when the server does not answer.
 */
export async function requireSession(href: string): Promise<Session> {
  try {
    return await queryClient.ensureQueryData(sessionQuery);
  } catch (error) {
    if (!(error instanceof SignedOut)) throw error;
    throw redirect({
      to: '/sign-in',
      search: {
        ...(href !== '/' && { return: href }),
        reason: error.reason,
      },
      replace: true,
    });
  }
}
