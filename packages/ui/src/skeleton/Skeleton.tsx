export interface SkeletonProps {
  /** Any CSS length; a fraction of the line by default. */
  width?: number | string;
  /** Height in px; 12 for a line of text. */
  height?: number;
}

/** The placeholder of loading content. Its container announces the loading with `aria-busy`. */
export function Skeleton({ width = '60%', height = 12 }: SkeletonProps) {
  return <span aria-hidden className="breathing block rounded-tag bg-pressed" style={{ width, height }} />;
}

export interface SkeletonListProps {
  /** About as many lines as will be loaded. */
  lines?: number;
  /** What is loading, for screen readers. */
  label: string;
}

const widths = ['72%', '54%', '88%', '63%', '47%', '79%'];

/** Placeholders of several lines, in uneven lengths. */
export function SkeletonList({ lines = 4, label }: SkeletonListProps) {
  return (
    <div role="status" className="flex flex-col gap-5 py-2">
      <span className="sr-only">{label}</span>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} width={widths[line % widths.length]} />
      ))}
    </div>
  );
}
