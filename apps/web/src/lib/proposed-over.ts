/** What a field holds once a file proposes a value for it: what was typed stays, what a file before it proposed does not. */
export function proposedOver(typed: string, before: string, proposal: string): string {
  return typed === '' || typed === before ? proposal : typed;
}
