/** Controls that JSON lets stand as they are (DEL, C1: xterm takes U+009B for CSI), and what hides or turns text. */
const unsafe = () => /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The value as JSON that does no harm on a terminal either: what is unsafe there is written as `\u009b`. */
export function jsonText(value: object | null): string {
  return JSON.stringify(value).replace(unsafe(), escaped);
}

/** Each UTF-16 unit by itself, as RFC 8259, section 7, has it. */
function escaped(character: string): string {
  let text = '';
  for (let at = 0; at < character.length; at++) {
    text += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }
  return text;
}
