/** Whether leaving the page asks first. Forms ask through it, so that signing in as somebody else can leave at once. */
let isLeaving = false;

/** From now on nothing asks "Discard changes?": the page is about to be loaded afresh. */
export function leaveWithoutAsking(): void {
  isLeaving = true;
}

/** False once the page is being left on purpose. */
export function mayAskBeforeLeaving(): boolean {
  return !isLeaving;
}
