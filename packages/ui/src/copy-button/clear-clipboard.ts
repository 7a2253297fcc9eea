/** How long a copied secret stays in the clipboard, in seconds. */
export const secretSeconds = 30;

/**
 * Empties the clipboard after `secretSeconds`, unless something else was copied in this page meanwhile. A page may
 * write to the clipboard only while it has focus: without it nothing is cleared.
 * @returns gives it up
 */
export function clearClipboardLater(onCleared: () => void): () => void {
  const giveUp = (): void => {
    clearTimeout(timer);
    document.removeEventListener('copy', giveUp);
    document.removeEventListener('cut', giveUp);
  };
  const timer = setTimeout(() => {
    giveUp();
    if (!document.hasFocus()) return;
    navigator.clipboard.writeText('').then(onCleared, () => {
      // The browser does not let the page: nothing was promised without focus.
    });
  }, secretSeconds * 1000);
  document.addEventListener('copy', giveUp);
  document.addEventListener('cut', giveUp);
  return giveUp;
}
