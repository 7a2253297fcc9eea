import { isNameTyped, reasonFor, rungOf, type Harm, type Rung } from '@gatehouse/api-types/console/harm';
import type { Environment } from '@gatehouse/api-types/console/session';
import type { ConfirmDialogProps } from '@gatehouse/ui/confirm-dialog';
import { useEnvironment } from '../environment/use-environment.ts';
import { useReplicas } from '../environment/use-replicas.ts';
import { useHeldUntil } from './use-held-until.ts';

/** How an operation is confirmed. */
export interface Ladder {
  readonly rung: Rung;
  /** Whether more than the page's own click is required. */
  readonly isAsked: boolean;
  /** For the confirmation dialog: the text to type, and the reason. */
  readonly asks: Pick<ConfirmDialogProps, 'typedName' | 'note'>;
}

/**
 * How an operation is confirmed, by the harm that its address declares; one click without harm.
 * @param name the text to type, if required
 * @param count the number of affected records
 * @param other the affected environment, if not the page's
 */
export function useLadder(
  harm: Harm | undefined,
  name: string,
  count = 1,
  other?: Pick<Environment, 'id' | 'name' | 'kind'>,
): Ladder {
  const here = useEnvironment();
  const { others, unknown } = useReplicas(other?.id);
  const place = other ?? here;
  const heldUntil = useHeldUntil(place.id);
  const too = replicasInWords(others, unknown, other?.name);
  if (harm === undefined) return { rung: 'click', isAsked: false, asks: {} };
  // Where a change is made in several environments, the strictest decides.
  const environment = [place, ...others, ...unknown].find(({ kind }) => kind === 'production') ?? place;
  const rung = rungOf(harm, environment.kind === 'production', count);
  if (rung === 'undo' || rung === 'click')
    return { rung, isAsked: false, asks: too === undefined ? {} : { note: too } };
  const why = `${too === undefined ? '' : `${too} `}Confirmation is required because ${reasonFor(harm, environment)}.`;
  const next =
    heldUntil === undefined
      ? 'You will be asked for your password or token next.'
      : `You confirmed your password or token. You won't be asked again until ${heldUntil}.`;
  return {
    rung,
    isAsked: true,
    asks: {
      ...(isNameTyped(harm, rung) && { typedName: name }),
      note: rung === 'password' ? `${why} ${next}` : why,
    },
  };
}

/** @param cluster whose replication is changed, instead of a record */
function replicasInWords(
  others: readonly Environment[],
  unknown: readonly Environment[],
  cluster: string | undefined,
): string | undefined {
  const named = (list: readonly Environment[]): string =>
    new Intl.ListFormat('en').format(list.map(({ name }) => name));
  const sentences = [
    ...(others.length === 0
      ? []
      : [
          cluster !== undefined
            ? `${cluster} has the same secrets as ${named(others)}.`
            : `The same is done in ${named(others)}, unless the engine is local or filtered.`,
        ]),
    ...(unknown.length === 0 ? [] : [`${named(unknown)} may have the same secrets.`]),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}
