import type { Impact } from '@gatehouse/ui/confirm-dialog';

/** What changing a released version does to those who use it. */
export function clientsAreCutOff(version: string): Impact {
  return {
    kind: 'breaks',
    text: `Version ${version} is released. From now on its clients may get something else, or not find it. What they downloaded stays.`,
  };
}

/** What replacing the image of a provider does. */
export function imageIsLost(provider: string): Impact {
  return {
    kind: 'breaks',
    text: `An image that the registry keeps for ${provider} is deleted permanently. Machines that were created from it keep running, and new ones get what replaces it.`,
  };
}
