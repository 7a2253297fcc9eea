import { Banner } from '@gatehouse/ui/banner';
import { lostFields, type RoleForm } from './role-fields.ts';
import { limitIsLost } from './type-change-impacts.ts';

/** Lists the entered fields that the chosen type doesn't have. */
export function LostFields({ values }: { values: RoleForm }) {
  const lost = lostFields(values);
  return (
    <div aria-live="polite" className="mt-1">
      {lost.length > 0 && (
        <Banner tone="warn" title="Lost when you save" announce="none">
          <ul className="flex list-disc flex-col gap-1 ps-5">
            {lost.map(({ label, value, isLimit }) => (
              <li key={label}>
                {label}: <span className="font-mono text-meta wrap-anywhere">{shortened(value)}</span>
                {isLimit && <span className="block font-medium">{limitIsLost}</span>}
              </li>
            ))}
          </ul>
        </Banner>
      )}
    </div>
  );
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
