/** Why a file is no longer readable. */
export const changedFileReason = 'The file has been changed, moved or deleted since you chose it.';

/** @returns false if the file has changed since it was picked, or no longer exists */
export async function canRead(file: Blob): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
