export { JsonEditor, type JsonEditorHandle, type JsonEditorProps, type JsonProblem } from './JsonEditor.tsx';
