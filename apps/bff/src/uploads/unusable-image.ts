import { ProblemError } from '#ground/problem.ts';

/** The console's file can't become the image. It is dropped, and must be sent again. */
export class UnusableImage extends ProblemError {
  override readonly name = 'UnusableImage';
}

/** The file of an upload is missing or incomplete: someone cleared the folder, or the disk lost it. */
export function lostFile(): UnusableImage {
  return new UnusableImage('not-found', 'The console no longer has the file. Send it again.');
}
