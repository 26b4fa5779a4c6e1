import type { Session } from '../sessions/session.ts';
import type { View } from './kind.ts';
import { shownPrompt } from './session-blocks.ts';
import { oneLine } from './text.ts';
import { cutEnd, cutMiddle } from './width.ts';

/** A tooltip is read, not scrolled. */
const longest = { line: 100, lines: 8, prompt: 300 };

/** Safe lines, not escaped: the block's session at length, or each of several in one line. */
export function tooltipOf(view: View): string[] {
  const [first] = view.blocks;
  if (first === undefined) return [];
  if (first.role === 'notice') return [first.text];
  const shown = new Set(view.blocks.map((block) => block.session));
  const of = view.sessions.filter(({ id }) => first.role === 'summary' || shown.has(id));
  const [session] = of;
  if (of.length === 1 && session !== undefined) return detailed(session, view);
  return of.map((each) => headline(each, view));
}

function headline(session: Session, { names, theme }: View): string {
  const name = cutMiddle(names.get(session.id) ?? session.name, longest.line);
  const reason = session.reason === null ? '' : ` (${cutEnd(session.reason, longest.line)})`;
  return `${theme.faces[session.state].glyph} ${name}: ${session.state}${reason}`;
}

function detailed(session: Session, view: View): string[] {
  const prompt = shownPrompt(session);
  return [
    headline(session, view),
    ...(prompt === undefined ? [] : [cutMiddle(`${prompt.title} ${prompt.text}`, longest.prompt)]),
    ...messageLines(session.lastMessage ?? ''),
    placeLine(session),
    ...(session.ports.length === 0 ? [] : [`ports ${session.ports.join(' ')}`]),
  ];
}

function messageLines(message: string): string[] {
  return message
    .slice(0, longest.lines * longest.line * 4)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, longest.lines)
    .map((line) => cutEnd(line, longest.line));
}

function placeLine({ place }: Session): string {
  if (place.certainty === 'none') return `no window: ${oneLine(place.reason ?? 'not found')}`;
  if (place.certainty === 'ambiguous') return `one of ${place.candidates.length} windows`;
  const { workspace, pane } = place;
  const output = workspace?.output == null ? '' : ` on ${workspace.output}`;
  const within = pane === null ? '' : `, ${pane.kind} ${pane.id}`;
  return cutMiddle(
    `${workspace === null ? 'in the scratchpad' : `workspace ${workspace.name}${output}`}${within}`,
    longest.line,
  );
}
