import { oneLine } from '../bars/text.ts';
import type { WireSession } from '../daemon/wire.ts';
import type { Hop } from '../desktop/desktop.ts';
import type { Place } from '../sessions/place.ts';
import type { Context } from './context.ts';

/** The reply of `GET /v1/sessions/{s}/explain`. */
interface Explained {
  readonly session: WireSession;
  readonly place: Place;
  readonly hops: readonly Hop[];
  readonly facts: readonly { readonly at: string; readonly what: string }[];
}

export async function explain({ client }: Context, session: string): Promise<void> {
  const path = `/v1/sessions/${encodeURIComponent(session)}/explain`;
  process.stdout.write(explanation((await client.request('GET', path)) as Explained));
}

export function explanation({ session, place, hops, facts }: Explained): string {
  const lines = [
    `${session.label ?? session.name} (${session.id}), pid ${session.pid}, ${session.cwd}`,
    '',
    `place: ${placeInWords(place)}`,
    ...hops.map(({ at, how }) => `  ${at}: ${how}`),
    ...place.candidates.map(({ window }) => `  could be window ${window.conId}: ${window.title}`),
    '',
    `state: ${session.state} since ${session.since}${session.reason === null ? '' : `: ${session.reason}`}`,
    ...facts.map(({ at, what }) => `  ${at}  ${what}`),
  ];
  return lines.map((line) => `${oneLine(line)}\n`).join('');
}

function placeInWords({ certainty, reason, desktop, workspace, window, pane }: Place): string {
  if (certainty !== 'exact') return `${certainty}: ${reason ?? 'no reason known'}`;
  const parts = [
    `window ${window?.conId ?? '?'}`,
    workspace === null ? 'in the scratchpad' : `on workspace ${workspace.name}`,
    workspace?.output == null ? '' : `of ${workspace.output}`,
    desktop === null ? '' : `under ${desktop}`,
    pane === null ? '' : `in ${pane.kind} pane ${pane.id}`,
  ];
  return `exact: ${parts.filter((part) => part !== '').join(' ')}`;
}
