export { visibleText } from './visibleText.ts';
