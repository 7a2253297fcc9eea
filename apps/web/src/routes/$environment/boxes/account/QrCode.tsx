import makeCode from 'qrcode-generator';
import { useMemo } from 'react';

/** Light modules around the code: scanners need them. */
const quiet = 4;

/** A code for a phone to scan; always dark on light, which is what scanners expect. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawing(text), [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${String(size)} ${String(size)}`}
      className="size-44 shrink-0 rounded-control border border-line"
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

function drawing(text: string): { size: number; path: string } {
  const code = makeCode(0, 'M');
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  let path = '';
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      if (code.isDark(row, column)) path += `M${String(column + quiet)} ${String(row + quiet)}h1v1h-1z`;
    }
  }
  return { size: count + 2 * quiet, path };
}
