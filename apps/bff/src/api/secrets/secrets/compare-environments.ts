import { notReceived } from '#audit/became.ts';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { idOf } from '#upstreams/secrets-server/place.ts';
import { readVersion } from '#upstreams/secrets-server/versions.ts';
import { callAt, secretsCaller } from '../caller.ts';
import { compareInTurn } from '../comparison-limit.ts';
import { differences, named, noFields } from '../differences.ts';
import { notThere } from '../stored-secret.ts';

/**
 * Compares a secret's newest values with those at the same path in another environment. The answer has only names. The
 * caller must be able to read both, and both environments' trails show it.
 */
export const compareEnvironments: Operation<'secrets.compareEnvironments'> = audited(
  {
    address: ({ body }) => ({ paths: [`with=${body.environment}`] }),
    became: notReceived,
  },
  async (context, call) => {
    const { params, body, slices, note } = call;
    const place = { mount: params.mount, path: params.path };
    return compareInTurn(call, async () => {
      const here = await secretsCaller(context, call);
      const there = await secretsCaller(context, callAt(call, body.environment));
      const [own, other] = await Promise.all([readVersion(here, place), readVersion(there, place)]);
      if (own === null) throw notThere(here);
      if (own.text === null)
        throw new ProblemError(
          'invalid-request',
          'The newest version is deleted. Undelete it to compare it.',
        );
      if (other === null) return { other, changed: noFields, here: noFields, there: noFields, same: 0 };
      await note.did({
        action: 'secret.compare-environments',
        environment: body.environment,
        id: idOf(place),
        paths: [`with=${params.environment}`],
      });
      const { version, created_time } = other.metadata;
      const told = { version, created_time, readable: other.text !== null };
      if (other.text === null)
        return { other: told, changed: noFields, here: noFields, there: noFields, same: 0 };
      const { changed, removed, added, same } = await differences(own.text, other.text, slices);
      return {
        other: told,
        changed: named(changed),
        here: named(removed),
        there: named(added),
        same: same.length,
      };
    });
  },
);
