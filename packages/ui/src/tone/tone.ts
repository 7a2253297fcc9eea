import { CircleCheck, Info, OctagonAlert, TriangleAlert } from 'lucide-react';
import type { IconType } from '../icon/Icon.tsx';

/** The severity of a message. */
export type Tone = 'ok' | 'info' | 'warn' | 'danger';

/** Each tone has its own shape, so that it is recognizable without color. */
export const toneIcons: Record<Tone, IconType> = {
  ok: CircleCheck,
  info: Info,
  warn: TriangleAlert,
  danger: OctagonAlert,
};

export const toneTextClass: Record<Tone, string> = {
  ok: 'text-ok',
  info: 'text-info',
  warn: 'text-warn',
  danger: 'text-danger',
};

export const toneTintClass: Record<Tone, string> = {
  ok: 'bg-ok-tint border-ok/35',
  info: 'bg-info-tint border-info/35',
  warn: 'bg-warn-tint border-warn/35',
  danger: 'bg-danger-tint border-danger/35',
};
