/** Whether a path is in this console. Exactly one slash at the beginning: browsers read `//host` and `/\host` as other sites. */
export function isLocalPath(path: string): boolean {
  return /^\/(?![/\\])/.test(path) && !/[\p{Cc}\\]/u.test(path);
}
