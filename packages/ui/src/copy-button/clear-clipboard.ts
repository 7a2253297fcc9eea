/** How long a copied secret stays in the clipboard, in seconds. */
export const secretSeconds = 30;

/**
 * Clears the clipboard after `secretSeconds`, unless the page has copied something else since then. A page can only
 * write to the clipboard while it has focus; without it, nothing is cleared.
 * @returns a function that cancels the clearing
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
      // The browser refused, for example because the page lost focus.
    });
  }, secretSeconds * 1000);
  document.addEventListener('copy', giveUp);
  document.addEventListener('cut', giveUp);
  return giveUp;
}
