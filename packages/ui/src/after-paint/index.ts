export { afterPaint } from './afterPaint.ts';
