export { VisuallyHidden, type VisuallyHiddenProps } from 'react-aria-components';
