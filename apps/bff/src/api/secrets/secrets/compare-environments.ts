import { notReceived } from '#audit/became.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { readVersion } from '#upstreams/secrets-server/versions.ts';
import { callAt, secretsCaller } from '../caller.ts';
import { compareInTurn } from '../comparison-limit.ts';
import { differences } from '../differences.ts';
import { notThere } from '../stored-secret.ts';

/** Most names of fields in an answer. */
const mostNames = 1_000;

/**
 * Compares a secret's newest values with those at the same path in another environment. The answer has only names. Who
 * compares may read both.
 */
export const compareEnvironments: Operation<'secrets.compareEnvironments'> = audited(
  {
    address: ({ body }) => ({ paths: [`with=${body.environment}`] }),
    became: notReceived,
  },
  async (context, call) => {
    const { params, body, slices } = call;
    const place = { mount: params.mount, path: params.path };
    return compareInTurn(context, call, async () => {
      const here = await secretsCaller(context, call);
      const there = await secretsCaller(context, callAt(call, body.environment));
      const [own, other] = [await readVersion(here, place), await readVersion(there, place)];
      if (own === null) throw notThere(here);
      if (other === null) return { other: null, fields: [], more: false };
      await slices.giveWay();
      const found = await differences(own.text ?? '{}', other.text ?? '{}', slices);
      const fields = [
        ...found.removed.map((name) => ({ name, found: 'here' as const })),
        ...found.added.map((name) => ({ name, found: 'there' as const })),
        ...found.changed.map((name) => ({ name, found: 'different' as const })),
        ...found.same.map((name) => ({ name, found: 'same' as const })),
      ].toSorted((a, b) => (a.name < b.name ? -1 : 1));
      const { version, created_time } = other.metadata;
      return {
        other: { version, created_time, readable: other.text !== null },
        fields: fields.slice(0, mostNames),
        more: fields.length > mostNames,
      };
    });
  },
);
