import { resultantAcl } from '@gatehouse/api-types/services/secrets-server';
import { buildPath } from '../path.ts';
import { isAnswer, type SecretsCaller } from './client.ts';

/** What the token's policies grant in total. */
export interface Grants {
  /** Whether a policy grants one of these capabilities on such a path. Paths with a wildcard end before it. */
  some(isMeant: (path: string) => boolean, ...words: readonly string[]): boolean;
}

/** @returns null if the server doesn't report it @throws ServiceError */
export async function readGrants(caller: SecretsCaller): Promise<Grants | null> {
  const { transport } = caller;
  const path = buildPath(`${transport.prefix}/v1/sys/internal/ui/resultant-acl`);
  try {
    const { data } = await transport.parse(resultantAcl, await caller.send({ method: 'GET', path }));
    const grants = [data.exact_paths, data.glob_paths].flatMap((paths) => Object.entries(paths));
    return {
      some: (isMeant, ...words) =>
        data.root ||
        grants.some(
          ([granted, { capabilities }]) =>
            isMeant(granted) && words.some((word) => capabilities?.includes(word) === true),
        ),
    };
  } catch (error) {
    if (isAnswer(error, 400, 403, 404, 405) && error.code !== 'not-connected') return null;
    throw error;
  }
}
