export { DecisionFieldset, type DecisionFieldsetProps, type DecisionOption } from './DecisionFieldset.tsx';
