import type { Session } from '@gatehouse/api-types/console/session';
import { queryClient } from '#lib/query-client.ts';
import { SignedOut, startAnew } from '#lib/session.ts';
import { sessionQuery } from '#queries/session.ts';

/**
 * The session of this browser. Without one, opens the sign-in page, which returns to `href`; the promise then
 * never settles.
 * @throws ApiError if the server doesn't answer
 */
export async function requireSession(href: string): Promise<Session> {
  try {
    return await queryClient.ensureQueryData(sessionQuery);
  } catch (error) {
    if (!(error instanceof SignedOut)) throw error;
    const search = new URLSearchParams({ ...(href !== '/' && { return: href }), reason: error.reason });
    return startAnew(`/sign-in?${search}`);
  }
}
