import type { Context } from '../context.ts';

/**
 * Removes images that nothing refers to any more. The change that left them is done: one that stays is only space, which
 * the next start gives back.
 */
export async function removeImages(
  { images, log }: Pick<Context, 'images' | 'log'>,
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) {
    try {
      await images.remove(key);
    } catch (error) {
      log.warn('image not removed', { error });
    }
  }
}
