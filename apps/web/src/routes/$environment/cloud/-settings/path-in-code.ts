/** A mount as part of a request's path, which keeps its slashes. */
export function pathInCode(mount: string): string {
  return mount.split('/').map(encodeURIComponent).join('/');
}
