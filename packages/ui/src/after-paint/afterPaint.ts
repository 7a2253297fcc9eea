/** Longest wait in milliseconds, because a background tab never paints. */
const mostMs = 1000;

/** Resolves after the current content has been painted, so that code and data that it doesn't need load later. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      setTimeout(resolve);
    });
    setTimeout(resolve, mostMs);
  });
}
