import type { Impact } from '@gatehouse/ui/confirm-dialog';

/** What changing a released version does to those who use it. */
export function clientsAreCutOff(version: string): Impact {
  return {
    kind: 'breaks',
    text: `Version ${version} is released. Its clients may get a different image, or no longer find it. Existing downloads don't change.`,
  };
}

/** What replacing the image of a provider does. */
export function imageIsLost(provider: string): Impact {
  return {
    kind: 'breaks',
    text: `The registry's image for ${provider} is deleted permanently. Existing machines keep running. New machines get the replacement.`,
  };
}
