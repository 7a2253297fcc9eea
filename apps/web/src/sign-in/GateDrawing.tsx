/** Courses of stone around an open gate: decoration, drawn in design tokens so that it follows the theme. */
export function GateDrawing() {
  const arches = [0, 1, 2, 3, 4];
  return (
    <svg
      aria-hidden
      viewBox="0 0 800 900"
      preserveAspectRatio="xMidYMax slice"
      className="absolute inset-0 size-full text-ink-3"
      fill="none"
      stroke="currentColor"
    >
      {Array.from({ length: 16 }, (_, row) => (
        <g key={row} strokeOpacity={0.16}>
          <path d={`M0 ${row * 60}H800`} />
          <path
            d={Array.from({ length: 8 }, (_item, column) => {
              const x = column * 120 + (row % 2) * 60;
              return `M${x} ${row * 60}v60`;
            }).join('')}
          />
        </g>
      ))}
      {arches
        .map((arch) => {
          const half = 90 + arch * 46;
          const spring = 470;
          return (
            <path
              key={arch}
              d={`M${400 - half} 900V${spring}A${half} ${half} 0 0 1 ${400 + half} ${spring}V900`}
              className={arch === 0 ? 'text-accent' : ''}
              fill="var(--sunken)"
              fillOpacity={arch === 4 ? 1 : 0}
              strokeWidth={arch === 0 ? 3 : 1.5}
              stroke="currentColor"
              strokeOpacity={arch === 0 ? 1 : 0.5 - arch * 0.06}
            />
          );
        })
        .reverse()}
      <path
        d="M400 900V380M310 520h180M310 640h180M310 760h180"
        className="text-accent"
        strokeOpacity={0.55}
        strokeWidth={1.5}
      />
    </svg>
  );
}
