/** A tab in the background draws nothing: there it is not waited for. */
const mostMs = 1000;

/** Resolves after what is drawn now was painted: what it can do without is fetched, and run, no earlier. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      setTimeout(resolve);
    });
    setTimeout(resolve, mostMs);
  });
}
