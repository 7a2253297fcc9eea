import { entriesOf, lastByKey, sameJson } from '@gatehouse/api-types/console/json-text';
import { notReceived } from '#audit/became.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { readVersion } from '#upstreams/secrets-server/versions.ts';
import { secretsCaller } from '../caller.ts';
import { countComparison } from '../comparison-limit.ts';
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
    const { params, body, session, slices } = call;
    const place = { mount: params.mount, path: params.path };
    countComparison(context, session.personId);
    const here = await secretsCaller(context, call);
    const there = await secretsCaller(context, {
      ...call,
      params: { ...params, environment: body.environment },
    });
    const [own, other] = [await readVersion(here, place), await readVersion(there, place)];
    if (own === null) throw notThere(here);
    if (other === null) return { other: null, fields: [], more: false };
    await slices.giveWay();
    const [mine, theirs] = [own.text, other.text].map((text) => lastByKey(entriesOf(text ?? '{}')));
    const names = [...new Set([...(mine?.keys() ?? []), ...(theirs?.keys() ?? [])])].toSorted((a, b) =>
      a < b ? -1 : 1,
    );
    const { version, created_time } = other.metadata;
    return {
      other: { version, created_time, readable: other.text !== null },
      fields: names.slice(0, mostNames).map((name) => {
        const [a, b] = [mine?.get(name), theirs?.get(name)];
        if (a === undefined || b === undefined)
          return { name, found: a === undefined ? ('there' as const) : ('here' as const) };
        return { name, found: sameJson(a, b) ? ('same' as const) : ('different' as const) };
      }),
      more: names.length > mostNames,
    };
  },
);
