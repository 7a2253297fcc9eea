import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { Kbd } from '../kbd/Kbd.tsx';
import { placeBeside, type Side } from './placeBeside.ts';

export interface TooltipProps {
  /** A few words; required information must not be only in a tooltip. */
  text: ReactNode;
  /** The equivalent shortcut, in `Kbd` form: `Mod+S`. */
  shortcut?: string;
  placement?: Side;
  isDisabled?: boolean;
  /** False if the child's name or description already contains the text, which would be read twice. */
  isDescription?: boolean;
  /** Exactly one focusable element: a Button, an IconButton, a link. */
  children: ReactNode;
}

/** Hover time before the tooltip shows, in ms. */
const delay = 400;

/** Right after another tooltip, the next one shows immediately. */
let lastShown = 0;

function Bubble({
  id,
  anchor,
  placement,
  children,
}: {
  id: string;
  anchor: () => Element | null;
  placement: Side;
  children: ReactNode;
}) {
  const bubble = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const element = bubble.current;
    const beside = anchor();
    if (element === null || beside === null) return;
    // The top layer, where no overlay, overflow or stacking context covers or clips it.
    if ('showPopover' in element) element.showPopover();
    const place = placeBeside(beside.getBoundingClientRect(), element.getBoundingClientRect(), placement, {
      width: document.documentElement.clientWidth,
      height: document.documentElement.clientHeight,
    });
    element.style.left = `${String(place.left)}px`;
    element.style.top = `${String(place.top)}px`;
  });
  return (
    <span
      ref={bubble}
      id={id}
      role="tooltip"
      popover="manual"
      className="pointer-events-none fixed m-0 w-max max-w-72 items-center gap-2 overflow-visible rounded-control border border-transparent bg-ink-1 px-2 py-1 text-start font-sans text-meta font-normal tracking-normal whitespace-normal text-page normal-case [inset:auto] [&:popover-open]:flex"
    >
      {children}
    </span>
  );
}

/**
 * Shows text beside its child on hover and keyboard focus; Esc and pressing hide it. It uses a native popover instead
 * of the overlay library, which the sign-in page therefore doesn't need.
 */
export function Tooltip({
  text,
  shortcut,
  placement = 'bottom',
  isDisabled = false,
  isDescription = true,
  children,
}: TooltipProps) {
  const id = useId();
  const [isShown, setShown] = useState(false);
  const host = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const trigger = () => host.current?.firstElementChild ?? null;

  function show(after: number): void {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setShown(true);
    }, after);
  }
  function hide(): void {
    clearTimeout(timer.current);
    if (isShown) lastShown = Date.now();
    setShown(false);
  }
  useEffect(
    () => () => {
      clearTimeout(timer.current);
    },
    [],
  );

  useEffect(() => {
    const described = host.current?.firstElementChild;
    if (!isShown || !described) return undefined;
    const before = described.getAttribute('aria-describedby');
    const words = before?.split(' ') ?? [];
    if (isDescription) described.setAttribute('aria-describedby', [...words, id].join(' '));
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key === 'Escape') setShown(false);
    }
    document.addEventListener('keydown', onKeyDown, true);
    return () => {
      document.removeEventListener('keydown', onKeyDown, true);
      if (!isDescription) return;
      if (before === null) described.removeAttribute('aria-describedby');
      else described.setAttribute('aria-describedby', before);
    };
  }, [isShown, isDescription, id]);

  return (
    // Has no box of its own, so that its child is laid out as if it stood alone.
    <span
      ref={host}
      className="contents"
      onPointerEnter={(event) => {
        if (event.pointerType !== 'touch') show(Date.now() - lastShown < 300 ? 0 : delay);
      }}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={(event) => {
        if (event.target === trigger() && event.target.matches(':focus-visible')) show(0);
      }}
      onBlur={hide}
    >
      {children}
      {isShown && !isDisabled && (
        <Bubble id={id} anchor={trigger} placement={placement}>
          <span>{text}</span>
          {shortcut !== undefined && <Kbd keys={shortcut} tone="inverse" />}
        </Bubble>
      )}
    </span>
  );
}
