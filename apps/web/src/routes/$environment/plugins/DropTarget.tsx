import { useRef, useState, type DragEvent, type ReactNode } from 'react';

/** Accepts a file dropped anywhere on its content, which also contains a button for it. */
export function DropTarget({ onDrop, children }: { onDrop: (file: File) => void; children: ReactNode }) {
  const [isOver, setOver] = useState(false);
  /** Counts entered elements, because entering a child also leaves its parent. */
  const depth = useRef(0);
  const hasFile = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');
  const move = (event: DragEvent, step: 1 | -1): void => {
    if (!hasFile(event)) return;
    depth.current += step;
    setOver(depth.current > 0);
  };
  return (
    <div
      className="relative flex min-h-0 flex-1 flex-col"
      onDragEnter={(event) => {
        move(event, 1);
      }}
      onDragLeave={(event) => {
        move(event, -1);
      }}
      onDragOver={(event) => {
        if (hasFile(event)) event.preventDefault();
      }}
      onDrop={(event) => {
        depth.current = 0;
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (file === undefined) return;
        event.preventDefault();
        onDrop(file);
      }}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-2 z-10 flex items-center justify-center rounded-overlay border-2 border-dashed border-accent bg-selected">
          <p className="text-heading font-semibold text-ink-1">Drop the binary to check it</p>
        </div>
      )}
    </div>
  );
}
