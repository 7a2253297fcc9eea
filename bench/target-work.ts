/** What the benchmark does to targets, in the form that each path understands. */
import { request } from 'undici';
import { headersOfSession } from './console.ts';
import type { Request, Work } from './load.ts';
import type { Path } from './target-servers.ts';

const wellKnownTarget = 'ttcp_1234567890';

/** Reads the example target over and over. */
export function read(path: Path): Work {
  const get: Request = {
    method: 'GET',
    path: `${path.targets}/${wellKnownTarget}`,
    headers: headersOf(path),
  };
  return { next: () => get, answered: () => undefined };
}

/** Changes the description of a target, each connection one of its own, with the version that it saw last. */
export function write(path: Path, ids: readonly string[]): Work {
  const versions = ids.map(() => 1);
  const turns = ids.map(() => 0);
  return {
    next: (slot) => {
      const version = versions[slot] ?? 1;
      turns[slot] = (turns[slot] ?? 0) + 1;
      const description = `changed ${turns[slot]} times by ${path.name}`;
      return {
        method: 'PATCH',
        path: `${path.targets}/${ids[slot]}`,
        headers: {
          ...headersOf(path),
          'content-type': 'application/json',
          ...(path.isConsole && { 'if-match': `"${version}"` }),
        },
        body: JSON.stringify(path.isConsole ? { description } : { version, description }),
      };
    },
    answered: (slot) => {
      versions[slot] = (versions[slot] ?? 1) + 1;
    },
  };
}

/** Creates a target for each connection. Answers their ids. */
export async function createOwnTargets(direct: Path, count: number): Promise<string[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const answer = await request(`${direct.origin}${direct.targets}`, {
        method: 'POST',
        headers: { ...headersOf(direct), 'content-type': 'application/json' },
        body: JSON.stringify({
          type: 'tcp',
          scope_id: 'p_1234567890',
          name: `bench ${crypto.randomUUID()}`,
          address: '127.0.0.1',
          attributes: { default_port: 22 },
        }),
      });
      const created: unknown = await answer.body.json();
      if (
        typeof created === 'object' &&
        created !== null &&
        'id' in created &&
        typeof created.id === 'string'
      ) {
        return created.id;
      }
      throw new Error(`A target was not created: ${answer.statusCode}`);
    }),
  );
}

function headersOf(path: Path): Record<string, string> {
  return path.isConsole ? headersOfSession(path.credential) : { authorization: `Bearer ${path.credential}` };
}
