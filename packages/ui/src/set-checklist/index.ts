export { SetChecklist, type SetChecklistProps, type SetMember } from './SetChecklist.tsx';
