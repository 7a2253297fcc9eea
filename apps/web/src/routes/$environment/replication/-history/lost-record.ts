/** Records of lost writes, as servers name them: `team/kv/app/db version 3`. */

/** A secret that a record is of. */
export interface LostSecret {
  readonly mount: string;
  readonly path: string;
}

/**
 * The secret that a record is a version of; undefined of any other record, and of one in no engine that is known.
 * @param mounts paths of key-value engines, without the slash at their end
 */
export function secretOf(record: string, mounts: readonly string[]): LostSecret | undefined {
  const place = /^(.+) version \d+$/s.exec(record)?.[1];
  if (place === undefined) return undefined;
  const mount = mounts
    .filter((each) => place.startsWith(`${each}/`))
    .toSorted((a, b) => b.length - a.length)
    .at(0);
  return mount === undefined ? undefined : { mount, path: place.slice(mount.length + 1) };
}
