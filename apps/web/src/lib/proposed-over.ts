/** The value of a field after a file proposes one: typed text stays, an earlier proposal is replaced. */
export function proposedOver(typed: string, before: string, proposal: string): string {
  return typed === '' || typed === before ? proposal : typed;
}
