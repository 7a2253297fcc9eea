/** A place as typed: the path follows the engine's mount. */
export interface TypedPlace {
  readonly mount: string;
  readonly path: string;
  readonly isFolder: boolean;
}

/**
 * @param below the folder that the text is relative to; without it, the text begins with a mount
 * @param mounts the known mounts: the longest match wins; without a match, the first segment is the mount
 */
export function placeTyped(
  text: string,
  below: { readonly mount: string; readonly path: string } | undefined,
  mounts: readonly string[],
): TypedPlace {
  // Leading and trailing whitespace is part of a name.
  const written = text.replace(/^\/+/, '');
  const isFolder = written === '' || written.endsWith('/');
  const path = written.replace(/\/+$/, '');
  if (below !== undefined) {
    return { mount: below.mount, path: [below.path, path].filter(Boolean).join('/'), isFolder };
  }
  const [mount = path.split('/')[0] ?? ''] = mounts
    .filter((known) => path === known || path.startsWith(`${known}/`))
    .toSorted((a, b) => b.length - a.length);
  const rest = path.slice(mount.length + 1);
  return { mount, path: rest, isFolder: isFolder || rest === '' };
}
