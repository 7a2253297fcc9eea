import { ChevronsUpDown } from 'lucide-react';
import { type ReactNode, type Ref, use } from 'react';
import {
  Button as AriaButton,
  Collection,
  ComboBox as AriaComboBox,
  ComboBoxStateContext,
  Group,
  Input,
  ListBox,
  ListBoxLoadMoreItem,
  Popover,
} from 'react-aria-components';
import { controlGroupClass, groupInputClass } from '../field/controlClass.ts';
import { fieldLayoutClass } from '../field/FieldMarks.tsx';
import { FieldLayout } from '../field/FieldParts.tsx';
import { type FieldProps, isFieldInvalid, splitFieldProps } from '../field/fieldProps.ts';
import { Icon } from '../icon/Icon.tsx';
import { Option, type OptionItem, optionListClass, optionPopoverClass } from '../list-box/Option.tsx';
import { Spinner } from '../spinner/Spinner.tsx';

export interface ComboBoxProps extends FieldProps {
  /** The matching options. With `onSearch`, the server has filtered them; otherwise they are filtered here. */
  options: readonly OptionItem[];
  value: string | null;
  onChange: (value: string | null) => void;
  /** Keeps typed text that matches no option; `onSearch` reports it. */
  allowsCustomValue?: boolean;
  /** Called on every change of the text, which answers never overwrite. */
  onSearch?: (text: string) => void;
  /** The label of `value` if `options` doesn't contain it. */
  valueLabel?: string;
  /** A search is in progress. */
  isPending?: boolean;
  /** Called when the end of the list becomes visible. */
  onLoadMore?: () => void;
  /** Shown when nothing matches: what to do. */
  emptyText?: ReactNode;
  onBlur?: () => void;
  name?: string;
  id?: string;
  placeholder?: string;
  autoFocus?: boolean;
  isDisabled?: boolean;
  isMono?: boolean;
  inputRef?: Ref<HTMLInputElement>;
}

/** A choice of one of many options, found by typing, here or on the server. Announces the number of matches. */
export function ComboBox(props: ComboBoxProps) {
  const { field, control } = splitFieldProps(props);
  const {
    options,
    value,
    onChange,
    allowsCustomValue = false,
    onSearch,
    valueLabel,
    isPending = false,
    onLoadMore,
    emptyText = 'No results. Try a shorter search.',
    onBlur,
    name,
    id,
    placeholder,
    autoFocus,
    isDisabled = false,
    isMono = false,
    inputRef,
  } = control;
  const isFilteredElsewhere = onSearch !== undefined;
  // React Aria takes the selected label from the list, and would show none if the answer doesn't include it.
  const isChoiceMissing =
    value !== null && valueLabel !== undefined && !options.some(({ id }) => id === value);
  const shown: readonly OptionItem[] = isChoiceMissing
    ? [{ id: value, label: valueLabel, detail: 'Current' }, ...options]
    : options;
  return (
    <AriaComboBox<OptionItem>
      {...(isFilteredElsewhere ? { items: shown, defaultFilter: () => true } : { defaultItems: shown })}
      value={value}
      onChange={(key) => {
        onChange(typeof key === 'string' ? key : null);
      }}
      defaultInputValue={valueLabel ?? options.find((option) => option.id === value)?.label ?? ''}
      onInputChange={onSearch}
      onBlur={onBlur}
      name={name}
      id={id}
      autoFocus={autoFocus}
      allowsEmptyCollection
      allowsCustomValue={allowsCustomValue}
      validationBehavior="aria"
      isRequired={field.isRequired}
      isInvalid={isFieldInvalid(field)}
      isDisabled={isDisabled}
      isReadOnly={field.disabledReason !== undefined}
      className={fieldLayoutClass}
    >
      <FieldLayout field={field}>
        <Group className={controlGroupClass({ size: field.size, isMono })}>
          <ComboInput ref={inputRef} placeholder={placeholder} />
          {isPending && <Spinner label="Searching" className="me-1 text-ink-3" />}
          <AriaButton
            aria-label="Show options"
            className="me-0.5 inline-flex size-6 shrink-0 items-center justify-center rounded-control text-ink-3 data-hovered:bg-hover data-hovered:text-ink-1 data-pressed:bg-pressed"
          >
            <Icon icon={ChevronsUpDown} size={14} />
          </AriaButton>
        </Group>
      </FieldLayout>
      <Popover offset={4} maxHeight={320} className={optionPopoverClass}>
        <ListBox<OptionItem>
          className={optionListClass}
          renderEmptyState={() => (
            <div className="px-2 py-1.5 text-body text-ink-2">{isPending ? 'Searching' : emptyText}</div>
          )}
        >
          <Collection items={shown}>{(item) => <Option item={item} />}</Collection>
          {onLoadMore !== undefined && (
            <ListBoxLoadMoreItem
              onLoadMore={onLoadMore}
              isLoading={isPending}
              className="flex justify-center p-1"
            >
              <Spinner label="Loading more" />
            </ListBoxLoadMoreItem>
          )}
        </ListBox>
      </Popover>
    </AriaComboBox>
  );
}

/** Also opens on click. It doesn't open on Tab, so that the list never covers the next fields. */
function ComboInput(props: { ref?: Ref<HTMLInputElement>; placeholder?: string }) {
  const state = use(ComboBoxStateContext);
  return (
    <Input
      {...props}
      // Not on click: leaving another field may show its error, which moves this field before the mouse button is
      // released.
      onMouseDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.focus();
        state?.open(null, 'manual');
      }}
      className={groupInputClass}
    />
  );
}
