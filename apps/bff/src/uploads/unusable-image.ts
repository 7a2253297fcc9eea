import { ProblemError } from '#ground/problem.ts';

/** What is at the console cannot become the image: it is dropped, and the file has to be sent again. */
export class UnusableImage extends ProblemError {
  override readonly name = 'UnusableImage';
}

/** The file of an upload is gone, or not all of it is there: somebody cleared the folder, or the disk lost it. */
export function lostFile(): UnusableImage {
  return new UnusableImage('not-found', 'The console no longer has the file. Send it again.');
}
