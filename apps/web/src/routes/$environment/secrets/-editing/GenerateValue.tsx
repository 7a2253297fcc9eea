import { Button } from '@gatehouse/ui/button';
import { NumberField } from '@gatehouse/ui/number-field';
import { Popover } from '@gatehouse/ui/popover';
import { Select } from '@gatehouse/ui/select';
import { useState } from 'react';
import { bitsOf, generatedValue, partLimits, recipes, type Recipe } from './generated-value.ts';

/** Makes a random value for a field. It isn't shown: the field's own button reveals it. */
export function GenerateValue({ label, onUse }: { label: string; onUse: (value: string) => void }) {
  return (
    <Popover
      label={`Generate a value for ${label}`}
      trigger={
        <Button size={28} aria-label={`Generate a value for ${label}`}>
          Generate
        </Button>
      }
    >
      {({ close }) => (
        <Choice
          onUse={(value) => {
            onUse(value);
            close();
          }}
        />
      )}
    </Popover>
  );
}

function Choice({ onUse }: { onUse: (value: string) => void }) {
  const [recipe, setRecipe] = useState<Recipe>(recipes[0]);
  const [count, setCount] = useState<number | null>(recipe.usual);
  const isAllowed = count !== null && count >= partLimits.min && count <= partLimits.max;
  const use = (): void => {
    if (isAllowed) onUse(generatedValue(recipe, count));
  };
  return (
    <div
      className="flex flex-col gap-3"
      onKeyDown={(event) => {
        // Enter in the number would submit the form around it.
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
        event.preventDefault();
        use();
      }}
    >
      <Select
        label="Made of"
        options={recipes}
        value={recipe.id}
        onChange={(id) => {
          const chosen = recipes.find((item) => item.id === id) ?? recipe;
          setRecipe(chosen);
          setCount(chosen.usual);
        }}
      />
      <NumberField
        label={recipe.separator === '' ? 'Characters' : 'Words'}
        value={count}
        onChange={setCount}
        min={partLimits.min}
        max={partLimits.max}
        error={
          isAllowed
            ? undefined
            : `Enter a number from ${partLimits.min} to ${partLimits.max.toLocaleString('en')}.`
        }
      />
      {isAllowed && (
        <p role="status" className="text-meta text-ink-2">
          {bitsOf(recipe, count).toLocaleString('en')} bits of randomness
        </p>
      )}
      <span>
        <Button variant="primary" size={28} onPress={use}>
          Use a new value
        </Button>
      </span>
    </div>
  );
}
