import { showsWhole } from '../config/format.ts';
import type { Placeholder } from '../config/placeholders.ts';
import type { Option, Prompt } from '../sessions/prompt.ts';
import type { SessionId } from '../sessions/session.ts';
import type { Block, Drawing } from './block.ts';
import { formatted, valuesOf, type Words } from './format.ts';
import { oneLine } from './text.ts';
import { cutEnd, widthOf } from './width.ts';

/** Columns of a rule that may be allowed for good, and characters of the words around it. */
const longest = { rule: 40, ruleSource: 400 };

/** The options of a prompt that can be answered from here. */
export function optionBlocks(session: SessionId, prompt: Prompt, drawing: Drawing): Block[] {
  if (prompt.answerable === 'no') return [];
  // The same key of the next question is another block.
  const question = prompt.asking === null || prompt.asking === 0 ? '' : `/${prompt.asking + 1}`;
  return prompt.options.flatMap((option) => {
    const texts = optionTexts(option, drawing);
    if (texts === null) return [];
    const block: Block = {
      instance: `${session}/${prompt.id}/${option.key}${question}`,
      role: 'option',
      look: 'option',
      session,
      prompt: prompt.id,
      option,
      ...texts,
    };
    return [block];
  });
}

const optionWords: Words<Placeholder<'option'>, [string, string, string]> = {
  key: (key) => key,
  label: (_, label) => label,
  glyph: (_, __, glyph) => glyph,
};

/**
 * null: not offered here. A rule that allows for good is offered only where it shows whole; a change of Claude's
 * mode is never one click away.
 */
function optionTexts(option: Option, drawing: Drawing): { text: string; shortText: string } | null {
  const { settings, theme, room } = drawing;
  const { glyph } = theme.faces.option;
  const long = settings.format.option;
  const short = settings.format['option-short'];
  const write = (label: string) => {
    const values = valuesOf(optionWords, option.key, label, glyph);
    return { long: formatted(long, values) || option.key, short: formatted(short, values) || option.key };
  };
  switch (option.means) {
    case 'go':
      return { text: glyph, shortText: glyph };
    case 'mode':
      return null;
    case 'allow-always': {
      if (room.options !== 'labels' || option.label.length > longest.ruleSource) return null;
      const rule = oneLine(option.label.replace(ALWAYS, ''));
      if (rule === '' || widthOf(rule) > longest.rule || !showsWhole(long, 'label')) return null;
      const text = write(`Always ${rule}`).long;
      return { text, shortText: text };
    }
    case 'allow':
    case 'deny':
    case 'choice': {
      if (room.options === 'none') return null;
      const texts = write(labelOf(option, settings.widths.choice));
      return { text: room.options === 'digits' ? texts.short : texts.long, shortText: texts.short };
    }
  }
}

/** Claude's own words before the rule ("Yes, and don't ask again for: npm install *"), or tsmux's ("Always: …"). */
const ALWAYS = /^(?:yes,? and (?:don['’]t ask again for|always allow):?|always(?: allow)?:?)\s*/i;

function labelOf(option: Option, columns: number): string {
  if (option.means === 'allow' && /^yes\b/i.test(option.label)) return 'Yes';
  if (option.means === 'deny' && /^no\b/i.test(option.label)) return 'No';
  return cutEnd(option.label, columns);
}
