let sentFrom: Element | null = null;
let typedIn: EventTarget | null = null;

/**
 * Notes where the focus is as a form is sent. One note for the page is enough: a person sends one form at a time, and a
 * form that asks for a password in between is gone when the first is answered.
 */
export function watchFocus(): void {
  sentFrom = document.activeElement;
  typedIn = null;
  document.addEventListener('input', noteTyping, { capture: true });
}

/**
 * Whether an answer may move the focus: not when the person has typed or moved it since the form was sent, or else the
 * rest of a word lands in another field.
 */
export function mayMoveFocus(): boolean {
  const { activeElement, body } = document;
  return !isOnPage(typedIn) && (!isOnPage(sentFrom) || activeElement === sentFrom || activeElement === body);
}

function noteTyping({ target }: Event): void {
  if (!isOnPage(typedIn)) typedIn = target;
}

function isOnPage(target: EventTarget | null): boolean {
  return target instanceof Node && document.contains(target);
}
