const flag = 'gatehouse.reloaded-for-chunk';

/**
 * After a deployment an open page may ask for a file that is gone. It is then reloaded, once: a second failure in
 * the same tab is shown as an error. While the server does not answer at all, reloading would only lose the page.
 */
export function reloadOnceForMissingChunks(): void {
  let isAsking = false;
  window.addEventListener('vite:preloadError', () => {
    // One screen may miss several files: who keeps an unsaved edit is asked about it once.
    if (isAsking || sessionStorage.getItem(flag) !== null) return;
    isAsking = true;
    void reloadIfServed().finally(() => {
      isAsking = false;
    });
  });
  window.addEventListener('load', () => {
    // A page that stood for a minute is whole: the next deployment may reload it again.
    window.setTimeout(() => {
      sessionStorage.removeItem(flag);
    }, 60_000);
  });
}

async function reloadIfServed(): Promise<void> {
  try {
    const { ok } = await fetch('/', { method: 'HEAD', cache: 'no-store' });
    if (!ok) return;
  } catch {
    return;
  }
  sessionStorage.setItem(flag, new Date().toISOString());
  // Unsaved edits are asked about by the form itself.
  window.location.reload();
}
