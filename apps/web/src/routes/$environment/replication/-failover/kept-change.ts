/** A change that was begun, kept while this tab is open: once the old primary is demoted it no longer says whom it fed. */
import * as z from 'zod/mini';
import type { Change } from './change.ts';

const place = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['production', 'staging', 'development']),
});
const filter = z.object({ mode: z.enum(['allow', 'deny']), paths: z.array(z.string()) });
const change = z.object({
  kind: z.enum(['planned', 'unplanned']),
  from: place,
  to: place,
  others: z.array(
    z.object({
      secondaryId: z.string(),
      clusterId: z.nullable(z.string()),
      place: z.nullable(place),
      filter: z.optional(z.nullable(filter)),
    }),
  ),
});

type Named = Pick<Change, 'kind'> & { readonly from: string; readonly to: string };

const keyOf = ({ kind, from, to }: Named): string => `gatehouse change ${kind} ${from} ${to}`;

/** Keeps who takes part in a change. */
export function keepChange(begun: Change): void {
  const name = { kind: begun.kind, from: begun.from.id, to: begun.to.id };
  sessionStorage.setItem(keyOf(name), JSON.stringify(begun));
}

/** The change that was begun in this tab; undefined where none was, or it can't be read. */
export function keptChange(name: Named): Change | undefined {
  const text = sessionStorage.getItem(keyOf(name));
  if (text === null) return undefined;
  try {
    const kept = change.safeParse(JSON.parse(text)).data;
    // What was unknown is not written.
    return kept && { ...kept, others: kept.others.map((other) => ({ ...other, filter: other.filter })) };
  } catch {
    return undefined;
  }
}

export function forgetChange(name: Named): void {
  sessionStorage.removeItem(keyOf(name));
}
