import type { Impact } from '@gatehouse/ui/confirm-dialog';

/** The effect of changing a released version on clients. */
export function clientsAreCutOff(version: string): Impact {
  return {
    kind: 'breaks',
    text: `Version ${version} is released. Its clients may get a different image, or no longer find it. Existing downloads don't change.`,
  };
}

/** The effect of adding an image to a released version on clients. */
export function clientsGetIt(version: string): Impact {
  return {
    kind: 'breaks',
    text: `Version ${version} is released. Its clients may get this image immediately, and it can't be recalled.`,
  };
}

/** The effect of replacing a provider's image. */
export function imageIsLost(provider: string): Impact {
  return {
    kind: 'breaks',
    text: `The registry's image for ${provider} is deleted permanently. Existing machines keep running. New machines get the replacement.`,
  };
}
