/** Has the browser keep a file where it keeps downloads. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by the time the page is idle again.
  window.setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
}
