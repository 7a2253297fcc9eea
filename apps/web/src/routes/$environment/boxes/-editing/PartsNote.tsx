/** A version of a box, or a provider of a version. */
export interface Part {
  readonly name: string;
  /** Changes with every edit. */
  readonly revision: string;
}

/** Lists parts that were created, changed or deleted while the dialog was open; nothing if none were. */
export function PartsNote({
  noun,
  seen,
  now,
}: {
  /** Starts the sentence: `Version`. */
  noun: string;
  seen: readonly Part[];
  now: readonly Part[];
}) {
  const before = new Map(seen.map(({ name, revision }) => [name, revision]));
  const after = new Map(now.map(({ name, revision }) => [name, revision]));
  const words = [
    ...now.filter(({ name }) => !before.has(name)).map(({ name }) => `${noun} ${name} is new.`),
    ...now
      .filter(({ name, revision }) => before.has(name) && before.get(name) !== revision)
      .map(({ name }) => `${noun} ${name} was changed.`),
    ...seen.filter(({ name }) => !after.has(name)).map(({ name }) => `${noun} ${name} was deleted.`),
  ];
  return words.length === 0 ? null : <p className="text-ink-2">{words.join(' ')}</p>;
}
