import { EndsNote } from '@gatehouse/ui/visible-ends';

/** What to know of a path as it is typed: its ends, and that it repeats the engine or folder it is below. */
export function PathNote({ text, folder, mount }: { text: string; folder: string; mount: string }) {
  const above = folder === '' ? mount : `${mount}/${folder}`;
  const repeated = [above, mount].find((start) => text.startsWith(`${start}/`));
  return (
    <>
      <EndsNote text={text} isPath />
      {repeated !== undefined && (
        <p role="status" className="text-meta text-warn wrap-anywhere">
          The path is below <span className="font-mono">{above}/</span>, so the secret will be at{' '}
          <span className="font-mono">{`${above}/${text}`}</span>. Leave out{' '}
          <span className="font-mono">{repeated}/</span> if you don't want to repeat it.
        </p>
      )}
    </>
  );
}
