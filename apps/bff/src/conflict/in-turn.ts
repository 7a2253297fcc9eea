/** The end of the line of each record that something is being done to. */
const lines = new Map<string, Promise<unknown>>();

/**
 * Does one thing to a record at a time, for services that can't compare and write in one step: between a read and the
 * write that it allows nothing else of this process comes. Other processes are not held.
 * @returns what `work` returned, which begins when all that was there before has ended, well or not
 */
export async function inTurn<Result>(
  { environment, service, kind, id }: Readonly<Record<'environment' | 'service' | 'kind' | 'id', string>>,
  work: () => Promise<Result>,
): Promise<Result> {
  const key = JSON.stringify([environment, service, kind, id]);
  const done = Promise.allSettled([lines.get(key)]).then(work);
  lines.set(key, done);
  try {
    return await done;
  } finally {
    if (lines.get(key) === done) lines.delete(key);
  }
}
