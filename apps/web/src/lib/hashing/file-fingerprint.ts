const edgeBytes = 1024 * 1024;

/**
 * Identifies a file without reading all of it: SHA-256 of its size (8 bytes, big-endian) and its first and
 * last mebibyte, in hexadecimal. Picking the same file again gives the same fingerprint.
 * @throws DOMException if the file can't be read
 */
export async function fileFingerprint(file: Blob): Promise<string> {
  const size = new DataView(new ArrayBuffer(8));
  size.setBigUint64(0, BigInt(file.size));
  const edges = new Blob([
    size.buffer,
    file.slice(0, edgeBytes),
    file.slice(Math.max(0, file.size - edgeBytes)),
  ]);
  const digest = await crypto.subtle.digest('SHA-256', await edges.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
