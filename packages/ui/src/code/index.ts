export { Code } from './Code.tsx';
export { CodeBlock, type CodeBlockProps } from './CodeBlock.tsx';
