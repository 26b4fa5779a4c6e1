import * as z from 'zod/mini';

const Answer = z.union([
  z.object({
    text: z.optional(z.string()),
    tools: z.optional(z.array(z.object({ tool: z.string(), input: z.record(z.string(), z.unknown()) }))),
    usage: z.optional(z.record(z.string(), z.number())),
    endless: z.optional(z.literal(true)),
  }),
  z.object({ status: z.number(), error: z.string(), message: z.string() }),
]);
const Fields = z.record(z.string(), z.unknown());

/** What a test can tell a stand-in besides what it types. */
export const Step = z.discriminatedUnion('do', [
  /** As if typed and sent; done when its turn is over. */
  z.object({ do: z.literal('prompt'), text: z.string() }),
  /** One key, as if pressed: `Enter`, `Escape`, `1`. */
  z.object({ do: z.literal('press'), key: z.string() }),
  /** What the model says when a prompt names it (`SCN:name`). */
  z.object({ do: z.literal('scenario'), name: z.string(), answers: z.array(Answer) }),
  /** Lets what is said endlessly come to its end. */
  z.object({ do: z.literal('finish') }),
  /** Runs the hooks of an event. */
  z.object({ do: z.literal('hook'), event: z.string(), fields: Fields }),
  /** Writes the session file, with these fields over its own from now on. */
  z.object({ do: z.literal('session-file'), fields: Fields }),
  z.object({ do: z.literal('raw-session-file'), text: z.string() }),
  z.object({ do: z.literal('remove-session-file') }),
  /** Appends to the transcript, byte for byte. */
  z.object({ do: z.literal('transcript'), text: z.string() }),
  z.object({ do: z.literal('mode'), mode: z.string() }),
]);
export type Step = z.infer<typeof Step>;
