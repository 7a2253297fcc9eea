/** Set to leave without confirmation. Forms check it, because signing in as someone else leaves at once. */
let isLeaving = false;

/** Disables "Discard changes?" because the page is about to be reloaded. */
export function leaveWithoutAsking(): void {
  isLeaving = true;
}

/** False while the page is being left on purpose. */
export function mayAskBeforeLeaving(): boolean {
  return !isLeaving;
}
