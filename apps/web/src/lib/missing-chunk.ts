import { isRetryingParts } from '@gatehouse/ui/lazy';

const flag = 'gatehouse.reloaded-for-chunk';
const missingPart = 'MissingPartError';

/**
 * After a deployment an open page may ask for a file that is gone. It is then reloaded, once: a second failure in
 * the same tab is shown as an error. While the server does not answer at all, reloading would only lose the page.
 */
export function reloadOnceForMissingChunks(): void {
  let isAsking = false;
  window.addEventListener('vite:preloadError', ({ payload }) => {
    // Every browser words it differently, and the router reloads the page over those words even without a network.
    payload.name = missingPart;
    payload.message = `Part of the page did not arrive: ${payload.message}`;
    // One screen may miss several files: who keeps an unsaved edit is asked about it once.
    if (isAsking || (isRetryingParts() && isShown()) || sessionStorage.getItem(flag) !== null) return;
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

/** True for the failure of an `import()` whose file did not arrive. */
export function isMissingPart(error: unknown): boolean {
  return error instanceof Error && error.name === missingPart;
}

/**
 * Whether there is a page to lose. What it misses is fetched again now and then: each failure would reload it, whatever is
 * being typed, and again as long as that is missing.
 */
function isShown(): boolean {
  return document.querySelector('#root')?.hasChildNodes() === true;
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
