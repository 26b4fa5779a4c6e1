import * as z from 'zod/mini';
import { assignSlots, type Slots } from '../bars/slots.ts';
import type { Session, SessionId } from '../sessions/session.ts';

/** Keeps which slot each session has on each output, also over a restart of the daemon. */
export interface SlotKeeper {
  /** @param modules how many session slots are on screen there. */
  assign(output: string | null, sessions: readonly Session[], modules: number): void;
  of(output: string | null): Slots;
  /** Whether modules are awaited that an earlier daemon knew: the clients of a bar come back one by one. */
  awaits(): boolean;
  /** No more of them come. */
  awaitNoMore(): void;
  /** JSON that `keepSlots` takes back. */
  save(): unknown;
}

const savedSchema = z.array(
  z.object({
    output: z.nullable(z.string()),
    modules: z.int(),
    slots: z.array(z.tuple([z.string(), z.int()])),
  }),
);

interface Kept {
  readonly modules: number;
  readonly slots: Slots;
}

/** @param saved what `save` gave, of this or an earlier daemon; anything else is nothing. */
export function keepSlots(saved: unknown, changed: () => void): SlotKeeper {
  const read = savedSchema.safeParse(saved);
  const restored = read.success ? read.data : [];
  const kept = new Map<string | null, Kept>(
    restored.map(({ output, modules, slots }) => [
      output,
      { modules, slots: new Map(slots as [SessionId, number][]) },
    ]),
  );
  let awaited: ReadonlyMap<string | null, number> = new Map(
    restored.map(({ output, modules }) => [output, modules]),
  );

  return {
    assign(output, sessions, present) {
      const modules = Math.max(present, awaited.get(output) ?? 0);
      const before = kept.get(output);
      const slots = assignSlots(before?.slots ?? new Map(), sessions, modules);
      if (before?.modules === modules && isSame(before.slots, slots)) return;
      kept.set(output, { modules, slots });
      changed();
    },
    of: (output) => kept.get(output)?.slots ?? new Map(),
    awaits: () => awaited.size > 0,
    awaitNoMore() {
      awaited = new Map();
    },
    save: () => [...kept].map(([output, { modules, slots }]) => ({ output, modules, slots: [...slots] })),
  };
}

function isSame(a: Slots, b: Slots): boolean {
  return a.size === b.size && [...a].every(([id, slot]) => b.get(id) === slot);
}
