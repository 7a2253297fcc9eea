/**
 * What moves the page waits for a press that is under way: between button down and button up, what is pressed must not
 * move from under the pointer, or no click comes of it.
 */
let isPressed = false;
let waiting: (() => void)[] = [];

/** Runs something now, or when the press that is under way has had its click. */
export function afterPress(run: () => void): void {
  if (isPressed) waiting.push(run);
  else run();
}

function release(): void {
  isPressed = false;
  const due = waiting;
  waiting = [];
  for (const run of due) run();
}

if (typeof document !== 'undefined') {
  const options = { capture: true, passive: true };
  document.addEventListener(
    'pointerdown',
    () => {
      release();
      isPressed = true;
    },
    options,
  );
  // The click follows the release in the same turn.
  for (const end of ['pointerup', 'pointercancel'] as const)
    document.addEventListener(end, () => setTimeout(release), options);
}
