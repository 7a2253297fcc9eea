/** Why a file that was read so far cannot be read any more. */
export const changedFileReason = 'The file has been changed, moved or deleted since you chose it.';

/** @returns false for a file that has changed since it was picked, or is gone */
export async function canRead(file: Blob): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
