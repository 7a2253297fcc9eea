export interface AvatarProps {
  /** Name or login. Decorative: the name is written beside the avatar, or labels its button. */
  name: string;
  /** Edge in px. */
  size?: 20 | 24 | 32;
}

/** The initials of up to two words of a name: `Ada Lovelace` → `AL`, `admin` → `A`. */
function initials(name: string): string {
  const words = name.split(/[\s._@-]+/).filter((word) => word !== '');
  return words
    .slice(0, 2)
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 63).toUpperCase())
    .join('');
}

/** A user as two letters. */
export function Avatar({ name, size = 24 }: AvatarProps) {
  return (
    <span
      aria-hidden
      style={{ width: size, height: size }}
      className={`inline-flex shrink-0 items-center justify-center rounded-control border border-accent/35 bg-accent-tint font-mono tracking-normal text-accent ${size === 20 ? 'text-[10px]' : 'text-caps'}`}
    >
      {initials(name)}
    </span>
  );
}
