/** A place as a person typed it: what is after the engine's mount is its path. */
export interface TypedPlace {
  readonly mount: string;
  readonly path: string;
  readonly isFolder: boolean;
}

/**
 * @param below the folder that the text is a path below; without one it begins with a mount
 * @param mounts those that are known: of several the longest that fits; of none the first name is one
 */
export function placeTyped(
  text: string,
  below: { readonly mount: string; readonly path: string } | undefined,
  mounts: readonly string[],
): TypedPlace {
  // White space at the ends of a name belongs to it.
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
