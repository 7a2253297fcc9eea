import type { Context } from '../context.ts';

/**
 * Removes images that nothing refers to any more. The change that left them is done: those that stay are only space, which
 * the next start gives back. A store that did not remove one is not asked for the next: its client waits.
 */
export async function removeImages(
  { images, log }: Pick<Context, 'images' | 'log'>,
  keys: readonly string[],
): Promise<void> {
  try {
    for (const key of keys) await images.remove(key);
  } catch (error) {
    log.warn('images not removed', { error });
  }
}
