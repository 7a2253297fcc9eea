import { Lock } from 'lucide-react';
import { type ReactNode, type Ref, useId } from 'react';
import { Switch as AriaSwitch, type SwitchProps as AriaSwitchProps } from 'react-aria-components';
import { Icon } from '../icon/Icon.tsx';

export interface SwitchProps extends Pick<
  AriaSwitchProps,
  'isSelected' | 'defaultSelected' | 'onChange' | 'onBlur' | 'name' | 'value' | 'id' | 'isDisabled'
> {
  children: ReactNode;
  description?: ReactNode;
  /** Why it can't be changed; it stays focusable and shows the reason. */
  disabledReason?: string | undefined;
  inputRef?: Ref<HTMLInputElement>;
}

/** A setting that applies immediately. Use a Checkbox in a form that is saved later. */
export function Switch({ children, description, disabledReason, inputRef, ...rest }: SwitchProps) {
  const descriptionId = useId();
  const isLocked = disabledReason !== undefined;
  const hasLines = description !== undefined || isLocked;
  return (
    <div className="flex flex-col gap-0.5">
      <AriaSwitch
        {...rest}
        inputRef={inputRef}
        isReadOnly={isLocked}
        aria-describedby={hasLines ? descriptionId : undefined}
        className="group flex w-fit cursor-default items-center gap-2 rounded-tag text-body text-ink-1 data-disabled:text-ink-3 data-focus-visible:outline-2 data-focus-visible:outline-offset-2 data-focus-visible:outline-accent data-readonly:text-ink-2"
      >
        <span className="flex h-4 w-7 shrink-0 items-center rounded-full border border-control-line bg-sunken px-px transition-colors group-data-disabled:opacity-55 group-data-hovered:border-ink-2 group-data-readonly:opacity-55 group-data-selected:border-accent group-data-selected:bg-accent forced-colors:group-data-selected:bg-[Highlight]">
          <span className="size-3 rounded-full bg-ink-2 transition-transform group-data-selected:translate-x-3 group-data-selected:bg-on-accent rtl:group-data-selected:-translate-x-3 forced-colors:bg-[CanvasText]" />
        </span>
        <span>{children}</span>
      </AriaSwitch>
      {hasLines && (
        <div id={descriptionId} className="flex flex-col gap-0.5 ps-9 text-meta text-ink-2">
          {description !== undefined && <span>{description}</span>}
          {isLocked && (
            <span className="flex items-start gap-1">
              <Icon icon={Lock} size={12} className="mt-0.5" />
              {disabledReason}
            </span>
          )}
        </div>
      )}
    </div>
  );
}
