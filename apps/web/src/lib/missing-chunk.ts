const flag = 'gatehouse.reloaded-for-chunk';

/**
 * After a deployment an open page may ask for a file that is gone. It is then reloaded, once: a second failure in
 * the same tab is shown as an error.
 */
export function reloadOnceForMissingChunks(): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (sessionStorage.getItem(flag) !== null) return;
    sessionStorage.setItem(flag, new Date().toISOString());
    event.preventDefault();
    window.location.reload();
  });
  window.addEventListener('load', () => {
    // A page that stood for a minute is whole: the next deployment may reload it again.
    window.setTimeout(() => {
      sessionStorage.removeItem(flag);
    }, 60_000);
  });
}
