export { MemberPicker, type MemberPickerProps, type PickedMember } from './MemberPicker.tsx';
