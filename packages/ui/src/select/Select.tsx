import { clsx } from 'clsx';
import { ChevronsUpDown } from 'lucide-react';
import type { Ref } from 'react';
import {
  Button as AriaButton,
  Select as AriaSelect,
  ListBox,
  ListBoxSection,
  Header,
  Popover,
  SelectValue,
  Collection,
} from 'react-aria-components';
import { fieldLayoutClass } from '../field/FieldMarks.tsx';
import { FieldLayout } from '../field/FieldParts.tsx';
import { type FieldProps, isFieldInvalid, splitFieldProps } from '../field/fieldProps.ts';
import { Icon } from '../icon/Icon.tsx';
import { Option, type OptionItem, optionListClass, optionPopoverClass } from '../list-box/Option.tsx';

export interface OptionGroup {
  label: string;
  options: readonly OptionItem[];
}

export interface SelectProps extends FieldProps {
  /** Options, or groups of options. Use a ComboBox for more than about fifteen. */
  options: readonly OptionItem[] | readonly OptionGroup[];
  value: string | null;
  onChange: (value: string) => void;
  onBlur?: () => void;
  name?: string;
  id?: string;
  placeholder?: string;
  autoFocus?: boolean;
  isDisabled?: boolean;
  isMono?: boolean;
  buttonRef?: Ref<HTMLButtonElement>;
}

function isGrouped(options: SelectProps['options']): options is readonly OptionGroup[] {
  const first = options[0];
  return first !== undefined && 'options' in first;
}

/** A choice of one of a few options. */
export function Select(props: SelectProps) {
  const { field, control } = splitFieldProps(props);
  const {
    options,
    value,
    onChange,
    onBlur,
    name,
    id,
    placeholder = 'Choose',
    autoFocus,
    isDisabled = false,
    isMono = false,
    buttonRef,
  } = control;
  const size = field.size ?? 32;
  return (
    <AriaSelect
      value={value}
      onChange={(key) => {
        if (typeof key === 'string') onChange(key);
      }}
      onBlur={onBlur}
      name={name}
      id={id}
      autoFocus={autoFocus}
      placeholder={placeholder}
      validationBehavior="aria"
      isRequired={field.isRequired}
      isInvalid={isFieldInvalid(field)}
      isDisabled={isDisabled || field.disabledReason !== undefined}
      className={clsx(fieldLayoutClass, 'group')}
    >
      <FieldLayout field={field}>
        <AriaButton
          ref={buttonRef}
          className={clsx(
            'flex w-full min-w-0 cursor-default items-center gap-2 rounded-control border border-control-line bg-raised text-start text-ink-1 transition-colors group-data-invalid:border-danger group-data-invalid:bg-danger-tint data-disabled:border-line data-disabled:bg-sunken data-disabled:text-ink-3 data-hovered:border-ink-2 data-pressed:bg-hover',
            size === 28 ? 'h-7 ps-2 pe-1.5 text-body' : 'h-8 ps-2.5 pe-2 text-input',
            isMono && 'font-mono',
          )}
        >
          <SelectValue<OptionItem> className="min-w-0 flex-1 truncate data-placeholder:text-ink-3">
            {({ isPlaceholder, selectedText }) => (isPlaceholder ? placeholder : selectedText)}
          </SelectValue>
          <Icon icon={ChevronsUpDown} size={14} className="text-ink-3" />
        </AriaButton>
      </FieldLayout>
      <Popover offset={4} maxHeight={400} className={optionPopoverClass}>
        {isGrouped(options) ? (
          <ListBox className={optionListClass}>
            {options.map((group) => (
              <ListBoxSection key={group.label} id={group.label} className="pb-1 last:pb-0">
                <Header className="px-2 pt-1.5 pb-0.5 font-mono text-caps text-ink-3 uppercase">
                  {group.label}
                </Header>
                <Collection items={group.options}>{(item) => <Option item={item} />}</Collection>
              </ListBoxSection>
            ))}
          </ListBox>
        ) : (
          <ListBox items={options} className={optionListClass}>
            {(item) => <Option item={item} />}
          </ListBox>
        )}
      </Popover>
    </AriaSelect>
  );
}
