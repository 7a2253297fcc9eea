import { conflict, outcomeUnknown, type Resource } from '#conflict/guarded-write.ts';
import { inTurn } from '#conflict/in-turn.ts';
import { whatFailed } from './stored-secret.ts';

/** The creation of a record at a service whose writes overwrite existing records. */
interface GuardedCreate<Stored> {
  readonly resource: Resource;
  readonly revisionOf: (stored: Stored) => string;
  readonly read: () => Promise<Stored | null>;
  readonly send: () => Promise<Stored>;
  /** Whether a stored record is the one that was sent. */
  readonly equalsSent: (stored: Stored) => boolean;
}

/**
 * Creates a record if it doesn't exist. Creations of the same record take turns.
 * @throws ProblemError `conflict` (created) with the existing record, `outcome-unknown`, or the errors of the calls
 */
export function guardedCreate<Stored>(creation: GuardedCreate<Stored>): Promise<Stored> {
  return inTurn(creation.resource, () => create(creation));
}

async function create<Stored>({
  resource,
  revisionOf,
  read,
  send,
  equalsSent,
}: GuardedCreate<Stored>): Promise<Stored> {
  const created = (current: Stored): Promise<Error> => alreadyThere(resource, current, revisionOf);
  const before = await read();
  if (before !== null) throw await created(before);
  try {
    return await send();
  } catch (error) {
    if (whatFailed(error) !== 'unknown') throw error;
    const after = await read().catch((cause: unknown) => {
      throw outcomeUnknown({ resource }, cause);
    });
    if (after === null) throw outcomeUnknown({ resource }, error);
    if (equalsSent(after)) return after;
    throw await created(after);
  }
}

/** The problem of a record that already exists. */
export function alreadyThere<Stored>(
  resource: Resource,
  current: Stored,
  revisionOf: (stored: Stored) => string,
): ReturnType<typeof conflict> {
  return conflict({ resource, expected: '', creates: true, revisionOf }, current);
}
