let sentFrom: Element | null = null;
let typedIn: EventTarget | null = null;

/**
 * Records where the focus is as a form is sent. One record for the page is enough: you send one form at a time, and a
 * dialog that requires a password is closed before the form is answered.
 */
export function watchFocus(): void {
  sentFrom = document.activeElement;
  typedIn = null;
  document.addEventListener('input', noteTyping, { capture: true });
}

/**
 * Whether an answer may move the focus: not when the user has typed or moved it since the form was sent, or the rest of
 * a word would land in another field.
 */
export function mayMoveFocus(): boolean {
  const { activeElement, body } = document;
  return !isOnPage(typedIn) && (!isOnPage(sentFrom) || activeElement === sentFrom || activeElement === body);
}

/** Ref for an element that replaces a pressed button, whose focus would otherwise be lost. */
export function takeLostFocus(element: HTMLElement | null): void {
  if (element !== null && document.activeElement === document.body) element.focus();
}

function noteTyping({ target }: Event): void {
  if (!isOnPage(typedIn)) typedIn = target;
}

function isOnPage(target: EventTarget | null): boolean {
  return target instanceof Node && document.contains(target);
}
