/** What is left behind when one of them was run. */
export const trace = '/tmp/tsmux-was-here';

/** What no bar may be sent: it breaks lines, moves the cursor, or turns the text around. */
export const unfit = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** Names, titles and commands as nobody would wish for. */
export const hostileTexts: readonly string[] = [
  `%{A1:touch ${trace}:}click me%{A}`,
  `$(touch ${trace}) \`touch ${trace}\``,
  '</span><b>bold &amp; & <',
  '"quotes" \\ \'and\' {"full_text":"x"}],[',
  'two\nlines\r\nand\ta tab',
  '\u001b[31mred\u001b]0;title\u0007\u0001',
  'abc\u202Egnirts\u202C\u2066x\u2069\u200B\u2028y',
  '界'.repeat(400),
  `#[fg=red]#(touch ${trace})#{pane_id}`,
  ']',
];
