import { isRetryingParts } from '@gatehouse/ui/lazy';

const flag = 'gatehouse.reloaded-for-chunk';
const missingPart = 'MissingPartError';

/**
 * After a deployment, an open page may request a deleted file. It is then reloaded once: a second failure in
 * the same tab is shown as an error. While the server doesn't answer, reloading would only lose the page.
 */
export function reloadOnceForMissingChunks(): void {
  let isAsking = false;
  window.addEventListener('vite:preloadError', ({ payload }) => {
    // The router knows each browser's words, and would reload the page for them even without a network.
    payload.name = missingPart;
    payload.message = `Part of the page did not arrive: ${payload.message}`;
    // A screen may lack several files, but "Discard changes?" should appear only once.
    if (isAsking || (isRetryingParts() && isShown()) || sessionStorage.getItem(flag) !== null) return;
    isAsking = true;
    void reloadIfServed().finally(() => {
      isAsking = false;
    });
  });
  window.addEventListener('load', () => {
    // After a minute the page is complete, so the next deployment may reload it again.
    window.setTimeout(() => {
      sessionStorage.removeItem(flag);
    }, 60_000);
  });
}

/** Whether an `import()` failed because its file did not arrive. */
export function isMissingPart(error: unknown): boolean {
  return error instanceof Error && error.name === missingPart;
}

/**
 * Whether a reload would lose anything. Missing parts are retried automatically: without this check each
 * failure would reload a page in use.
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
  // The form itself asks about unsaved edits.
  window.location.reload();
}
