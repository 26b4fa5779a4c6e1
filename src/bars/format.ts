import type { Format, Part } from '../config/format.ts';
import { oneLine } from './text.ts';
import { cutEnd } from './width.ts';

/** What placeholders stand for: safe text of one line; '' where there is nothing to say. Asked only what is shown. */
export type Values = Readonly<Record<string, () => string>>;

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
      const value = values[part.name]?.() ?? '';
      return part.columns === null ? value : cutEnd(value, part.columns);
    }
    case 'optional': {
      const texts = part.parts.map((each) => rendered(each, values));
      const isSilent = part.parts.some((each, at) => each.type === 'placeholder' && texts[at] === '');
      return isSilent ? '' : texts.join('');
    }
  }
}
