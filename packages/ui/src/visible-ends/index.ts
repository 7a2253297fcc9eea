export { EndsNote } from './EndsNote.tsx';
export { VisibleEnds, type VisibleEndsProps } from './VisibleEnds.tsx';
