import type { WireOpenPrompt, WirePrompt } from '../daemon/wire.ts';
import { safeLines } from './terminal.ts';

/** The whole prompt, each line of it made safe to print. */
export function shownPrompt(prompt: WirePrompt): string {
  const { title, id, agent, pinned, text, kind } = prompt;
  const marks = [agent === null ? '' : 'from a sub-agent', pinned ? 'pinned' : ''].filter(Boolean);
  const head = `${safeLines(title)} (${[id, ...marks].join(', ')})`;
  // What its questions say is all that there is to say.
  const body = kind === 'question' && prompt.questions.length > 0 ? '' : safeLines(text);
  return `${[head, body].filter(Boolean).join('\n')}\n${shownQuestion(prompt)}`;
}

/** The questions, from the one that is asked now on, and the options. */
export function shownQuestion({ questions, asking, options, answerable }: WirePrompt): string {
  const asked = asking === null ? questions : questions.slice(asking);
  const told = asked.map(({ text, multiSelect, options: choices }) => {
    const several = multiSelect ? ' (several answers are possible)' : '';
    const listed = choices.map(({ label, description }, at) =>
      safeLines(`  ${at + 1}  ${label}${description === null ? '' : `: ${description}`}`),
    );
    return [`${safeLines(text)}${several}`, ...listed].join('\n');
  });
  // The choices of questions stand under them.
  const others = options.filter(({ means }) => asked.length === 0 || means !== 'choice');
  const listed = others.map(({ key, label }) => `  ${key}  ${safeLines(label)}`);
  const only = answerable === 'no' ? ['  It can only be answered in its terminal.'] : [];
  return `${[...told, ...only, ...listed].join('\n')}\n`;
}

export function shownOpenPrompt(prompt: WireOpenPrompt): string {
  return `${safeLines(prompt.session.name)} (${prompt.session.id})\n${shownPrompt(prompt)}`;
}
