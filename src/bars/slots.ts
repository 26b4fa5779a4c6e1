import { byUrgency } from '../attention/order.ts';
import type { Session, SessionId, Snapshot } from '../sessions/session.ts';
import type { Block, Drawing } from './block.ts';
import { isShown, quietBlock } from './blocks.ts';
import { optionBlocks } from './option-blocks.ts';
import { shownPrompt, standing, summaryBlock, unitPiece } from './session-blocks.ts';
import { whole } from './shrink.ts';
import type { Slot } from './slot-name.ts';
import { cutEnd } from './width.ts';

/** Which slot each session has, counted from 1. */
export type Slots = ReadonlyMap<SessionId, number>;

/**
 * A session keeps its slot while it runs. Others get the lowest that are free, as they started; when there are not
 * enough modules, the most urgent get them, and the rest wait in slots that nobody shows.
 *
 * @param modules how many slots are on screen; a session in a higher one may still come into one of these.
 */
export function assignSlots(before: Slots, sessions: readonly Session[], modules: number): Slots {
  const kept = sessions.flatMap((session): [SessionId, number][] => {
    const slot = before.get(session.id);
    return slot === undefined || slot > modules ? [] : [[session.id, slot]];
  });
  const slots = new Map(kept);
  const taken = new Set(slots.values());
  const waiting = byUrgency(sessions.filter(({ id }) => !slots.has(id)));
  const free = modules - taken.size;
  let slot = 0;
  for (const group of [waiting.slice(0, free), waiting.slice(free)]) {
    for (const session of group.toSorted(byStart)) {
      do slot += 1;
      while (taken.has(slot));
      slots.set(session.id, slot);
    }
  }
  return slots;
}

function byStart(a: Session, b: Session): number {
  return a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1);
}

/** What one slot shows: one block, or none. */
export function slotBlocks(
  slot: Slot,
  slots: Slots,
  snapshot: Snapshot,
  around: Omit<Drawing, 'room'>,
): readonly Block[] {
  const { settings } = around;
  const drawing: Drawing = { ...around, room: whole };
  const sessions = snapshot.sessions.filter((session) => isShown(session, settings));
  switch (slot.kind) {
    case 'session': {
      const lead = sessions.find(({ id }) => slots.get(id) === slot.number);
      return lead === undefined ? [] : unitPiece({ lead, badge: null }, drawing, 'full').blocks.slice(0, 1);
    }
    case 'summary': {
      const summary = summaryBlock(sessions, drawing);
      if (summary !== null) return [summary];
      return snapshot.notice === null
        ? []
        : [standing('notice', cutEnd(snapshot.notice, settings.widths.notice))];
    }
    case 'quiet':
      return quietBlock(snapshot, around);
    case 'prompt':
    case 'option': {
      const lead = asked(sessions);
      const prompt = lead === undefined ? undefined : shownPrompt(lead);
      if (lead === undefined || prompt === undefined) return [];
      if (slot.kind === 'option') {
        return optionBlocks(lead.id, prompt, drawing).slice(slot.number - 1, slot.number);
      }
      return unitPiece({ lead, badge: null }, drawing, 'full').blocks.slice(0, 1);
    }
  }
}

/** The session whose prompt comes first. */
function asked(sessions: readonly Session[]): Session | undefined {
  const since = (session: Session) =>
    shownPrompt(session)?.pinned ? Number.NEGATIVE_INFINITY : (session.prompts[0]?.since ?? 0);
  return sessions
    .filter(({ state, prompts }) => state === 'needs-input' && prompts.length > 0)
    .toSorted((a, b) => since(a) - since(b) || byStart(a, b))[0];
}
