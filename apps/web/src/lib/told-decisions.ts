/** What `savingWith` was told, for as long as its save runs. */
let told: string | undefined;

/**
 * Runs a save that was made with decisions about conflicts: every write of it tells them, for the audit trail. One
 * form is saved at a time.
 * @param decisions text of the header `x-gatehouse-decisions`; undefined when there is nothing to tell
 */
export async function savingWith<Saved>(
  decisions: string | undefined,
  save: () => Promise<Saved>,
): Promise<Saved> {
  told = decisions;
  try {
    return await save();
  } finally {
    told = undefined;
  }
}

/** The decisions that a write tells now. */
export function toldDecisions(): string | undefined {
  return told;
}
