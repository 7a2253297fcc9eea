/** Formats a cluster address for clients, as an https URL. @param address `host:port`; empty for none */
export function addressWire(address: string): string {
  return address === '' || address.includes('://') ? address : `https://${address}`;
}
