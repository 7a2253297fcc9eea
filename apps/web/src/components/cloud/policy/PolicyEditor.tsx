import { TextArea } from '@gatehouse/ui/text-area';

export interface PolicyEditorProps {
  value: string;
  onChange: (value: string) => void;
  label: string;
  isInvalid?: boolean;
  errorMessage?: string;
}

export function PolicyEditor({ value, onChange, label, errorMessage }: PolicyEditorProps) {
  return (
    <TextArea
      label={label}
      value={value}
      onChange={onChange}
      error={errorMessage}
      isMono
      rows={8}
      spellCheck="false"
    />
  );
}
