import type { Format, Part } from '../config/format.ts';
import { oneLine } from './text.ts';
import { cutEnd } from './width.ts';

/** What a placeholder stands for: safe text of one line; '' where there is nothing to say. Asked only what is shown. */
export type Values = (placeholder: string) => string;

/** The same, as functions of what is drawn: written down once, and not anew for each block, for a bar is drawn often. */
export type Words<Placeholder extends string, Of extends readonly unknown[]> = Readonly<
  Record<Placeholder, (...of: Of) => string>
>;

export function valuesOf<Of extends readonly unknown[]>(words: Words<string, Of>, ...of: Of): Values {
  return (placeholder) => words[placeholder]?.(...of) ?? '';
}

/** One safe line. What empty placeholders leave behind at both ends is taken away. */
export function formatted(format: Format, values: Values): string {
  return format
    .map((part) => rendered(part, values))
    .join('')
    .trim();
}

function rendered(part: Part, values: Values): string {
  switch (part.type) {
    case 'text':
      return oneLine(part.text);
    case 'placeholder': {
      const value = values(part.name);
      return part.columns === null ? value : cutEnd(value, part.columns);
    }
    case 'optional': {
      const texts = part.parts.map((each) => rendered(each, values));
      const isSilent = part.parts.some((each, at) => each.type === 'placeholder' && texts[at] === '');
      return isSilent ? '' : texts.join('');
    }
  }
}
