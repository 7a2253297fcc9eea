/** A cluster address as clients of the field read it. @param address `host:port`; empty when there is none */
export function addressWire(address: string): string {
  return address === '' || address.includes('://') ? address : `https://${address}`;
}
