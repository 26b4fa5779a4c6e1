/**
 * Untrusted text made safe to show: one module for every output. Names of folders, titles, commands and file
 * names are chosen by others, and may hold anything. `width.ts` measures and cuts what comes out of here.
 */

/**
 * What must never reach a bar or a terminal as it is: controls (C0, C1), line and paragraph separators, halves
 * of surrogate pairs, interlinear annotation, noncharacters, and everything that Unicode calls default
 * ignorable: zero-width characters, bidi controls (UAX #9), tags, variation selectors.
 *
 * Sets of Unicode take V8 milliseconds to make, and most processes never meet a text that needs one: so each is made
 * where it is used, and kept there by V8.
 */
const hidden = () =>
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufff9-\ufffb]/gu;
/**
 * Latin, Greek, Cyrillic, dashes, arrows, shapes: one column each, none invisible, none that joins with another.
 * Nearly all text is of these, and a bar asks often.
 */
const SIMPLE =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u0377\u0391-\u03a1\u03a3-\u03ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u2190-\u21ff\u25a0-\u25fc\u263e]*$/;
/** More marks on one character than any script needs would be drawn over the lines around it. */
const stackedMarks = () => /(\p{M}{4})\p{M}+/gu;
const pictographBefore = () => /\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?$/u;
const pictographAfter = () => /^\p{Extended_Pictographic}/u;
const emojiBefore = () => /[\p{Emoji}]$/u;

const NAMED: ReadonlyMap<string, string> = new Map([
  ['\0', '\\0'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\x1b', '\\e'],
]);

/** Most of that: V8 compiles it in no time, where a short command pays for all of the above. */
const PLAIN = /^[ -~]*$/;

/** Whether each UTF-16 unit of the text is one visible character, one column wide. */
export function isSimple(text: string): boolean {
  return PLAIN.test(text) || SIMPLE.test(text);
}

/** The text in one line, with everything that cannot be seen written out: `\n`, `\e`, `\x9b`, `\u202e`. */
export function oneLine(text: string): string {
  if (isSimple(text)) return text;
  return text
    .replace(hidden(), (character, at: number) =>
      belongsToEmoji(text, character, at) ? character : written(character),
    )
    .replace(stackedMarks(), '$1');
}

/** The joiner and the colour selector are part of how emoji are written (UTS #51); elsewhere they only hide. */
function belongsToEmoji(text: string, character: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 8), at);
  if (character === '\ufe0f' || character === '\ufe0e') return emojiBefore().test(before);
  return (
    character === '\u200d' &&
    pictographBefore().test(before) &&
    pictographAfter().test(text.slice(at + 1, at + 4))
  );
}

function written(character: string): string {
  const named = NAMED.get(character);
  if (named !== undefined) return named;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\u{${code.toString(16)}}`;
}

const MARKUP: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that Pango shows as it is (https://docs.gtk.org/Pango/pango_markup.html). Takes what `oneLine` gave. */
export function pango(text: string): string {
  return text.replace(/[&<>"']/g, (character) => MARKUP[character] ?? '');
}
