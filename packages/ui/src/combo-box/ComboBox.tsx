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
  /** What matches now. With `onSearch` the server has filtered them; without, the text filters them here. */
  options: readonly OptionItem[];
  value: string | null;
  onChange: (value: string | null) => void;
  /** What is typed stays, though it is none of the options: `onSearch` tells it. */
  allowsCustomValue?: boolean;
  /** Each change of the text. The text itself is never overwritten by the answer. */
  onSearch?: (text: string) => void;
  /** The words of `value` while its option is not among `options`. */
  valueLabel?: string;
  /** An answer is on its way. */
  isPending?: boolean;
  /** Asked when the end of the list comes into view. */
  onLoadMore?: () => void;
  /** Said when nothing matches: what to do about it. */
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

/** One choice of many, found by typing, here or on the server. Announces how many match. */
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
  // React Aria reads the words of the choice from the list, and would show none when an answer left it out.
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

/** Opens at a click as well: Tab alone passes by, so that the list never covers what comes after it. */
function ComboInput(props: { ref?: Ref<HTMLInputElement>; placeholder?: string }) {
  const state = use(ComboBoxStateContext);
  return (
    <Input
      {...props}
      // Not the click: leaving another field may show its error, which moves this one away before the button is up.
      onMouseDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.focus();
        state?.open(null, 'manual');
      }}
      className={groupInputClass}
    />
  );
}
