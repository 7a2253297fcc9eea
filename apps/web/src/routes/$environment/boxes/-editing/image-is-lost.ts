import type { Impact } from '@gatehouse/ui/confirm-dialog';

/** What changing a released version does to those who use it. */
export function clientsAreCutOff(version: string): Impact {
  return {
    kind: 'breaks',
    text: `Version ${version} is released. Its clients may now get something else, or not find it. Existing downloads are unchanged.`,
  };
}

/** What replacing the image of a provider does. */
export function imageIsLost(provider: string): Impact {
  return {
    kind: 'breaks',
    text: `The registry's image for ${provider} is deleted permanently. Existing machines keep running, and new ones get its replacement.`,
  };
}
