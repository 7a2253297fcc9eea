/** Keeps what is typed between the command to open a field and the moment that it stands: fast typists lose nothing. */

/** Collects characters from now on. @returns ends it and answers what was typed, once */
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
