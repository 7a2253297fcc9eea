import type { Impact } from '@gatehouse/ui/confirm-dialog';

/** What replacing the image of a provider does. */
export function imageIsLost(provider: string): Impact {
  return {
    kind: 'breaks',
    text: `An image that the registry keeps for ${provider} is deleted permanently. Machines that were created from it keep running, and new ones get what replaces it.`,
  };
}
