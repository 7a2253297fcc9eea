export { EmptyState, type EmptyStateProps, NoMatches, type NoMatchesProps } from './EmptyState.tsx';
