export { Badge, type BadgeProps } from './Badge.tsx';
export { StatusDot, type StatusDotProps } from './StatusDot.tsx';
export { Tag, type TagProps } from './Tag.tsx';
