/** Records of lost writes, as servers name them: `team/kv/app/db version 3`. */

/** The secret of a record. */
export interface LostSecret {
  readonly mount: string;
  readonly path: string;
}

/**
 * The secret whose version a record is; undefined for other records and unknown engines.
 * @param mounts paths of key-value engines, without a trailing slash
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
