/** Collects keys while a field opens after its command, so that fast typists lose none. */

/** Begins collecting characters. @returns a function that stops, and returns the typed text once */
export function collectTyped(): () => string {
  let typed = '';
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'Backspace') typed = typed.slice(0, -1);
    else if (event.key.length === 1) typed += event.key;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('keydown', onKey, { capture: true });
  return () => {
    window.removeEventListener('keydown', onKey, { capture: true });
    const text = typed;
    typed = '';
    return text;
  };
}
