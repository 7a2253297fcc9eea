/**
 * Postpones work that moves the page while a pointer is pressed: if the pressed element moved between button
 * down and button up, no click would follow.
 */
let isPressed = false;
let waiting: (() => void)[] = [];

/** Runs now, or after the click of the current press. */
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
  // The click event follows the release in the same task.
  for (const end of ['pointerup', 'pointercancel'] as const)
    document.addEventListener(end, () => setTimeout(release), options);
}
