import { describe, expect, it } from 'vitest';
import type { Observation, PromptAsked } from '../../src/sessions/observation.ts';
import type { Option, PromptId } from '../../src/sessions/prompt.ts';
import { createRegistry } from '../../src/sessions/registry.ts';
import {
  asks,
  at,
  ends,
  file,
  key,
  nudged,
  only,
  seenAlive,
  sessionAfter,
  starts,
  stopped,
  submitted,
  told,
} from './told.ts';

const turn = [submitted(5, 'A'), file(5.1, 'busy')];
/** The hook runs a moment after Claude has drawn the dialog and written its file. */
const asked = [...turn, starts(7.8, 'npm i'), file(7.9, 'waiting'), asks(8, 'npm i')];

const first = sessionAfter(...asked).prompts[0]?.id as PromptId;

const open = (...observations: readonly Observation[]) =>
  sessionAfter(...observations).prompts.map((prompt) => prompt.text);

describe('a prompt is made', () => {
  it('by the hook alone, at once', () => {
    expect(sessionAfter(...turn, asks(8, 'npm i'))).toMatchObject({
      state: 'needs-input',
      since: at(8),
      reason: 'permission prompt',
      tool: { name: 'Bash', summary: 'npm i' },
      prompts: [
        {
          kind: 'permission',
          title: 'Bash',
          text: 'npm i',
          agent: null,
          options: [{ key: 'g', means: 'go' }],
        },
      ],
    });
  });

  it('once, though hook, file and notification all tell of it', () => {
    expect(open(...asked, nudged(14, 'permission_prompt'))).toEqual(['npm i']);
    expect(open(...turn, asks(8, 'npm i'), file(7.9, 'waiting'))).toEqual(['npm i']);
  });

  it('once for the next dialog of the main thread, of which the file says nothing new', () => {
    expect(open(...asked, asks(9, 'npm test'), file(7.9, 'waiting', { readAfter: 20 }))).toEqual([
      'npm test',
    ]);
  });

  it('under an id that stays when the hook tells what the file could not', () => {
    const registry = told(...turn, file(7.9, 'waiting'));
    const [byFile] = only(registry).prompts;
    registry.observe(key, asks(8, 'npm i'));
    expect(only(registry).prompts).toMatchObject([{ id: byFile?.id, text: 'npm i' }]);
    expect(byFile?.id).toMatch(/^p[a-z0-9]{3,}$/);
  });

  it('a1: by the file alone, whatever it waits for', () => {
    const sandbox = file(8, 'waiting', { waitingFor: 'sandbox request' });
    expect(sessionAfter(...turn, sandbox)).toMatchObject({
      state: 'needs-input',
      reason: 'sandbox request',
      prompts: [{ kind: 'dialog', answerable: 'no' }],
    });
  });

  it('b17: by a notification, where there is neither hook nor file', () => {
    expect(sessionAfter(submitted(5, 'A'), nudged(14, 'permission_prompt'))).toMatchObject({
      state: 'needs-input',
      prompts: [{ answerable: 'no', options: [{ key: 'g' }] }],
    });
  });

  it('b20: not by a notification in bypassPermissions, nor where the file knows better', () => {
    const bypass = { type: 'mode-seen', at: at(5), permissionMode: 'bypassPermissions' } as const;
    expect(open(submitted(5, 'A'), bypass, nudged(14, 'permission_prompt'))).toEqual([]);
    expect(open(...turn, nudged(14, 'permission_prompt'))).toEqual([]);
  });

  it("by no dialog of the user's own: /model opens one on an idle session", () => {
    expect(sessionAfter(file(0, 'idle'), file(5, 'waiting', { waitingFor: 'dialog open' })).state).toBe(
      'idle',
    );
  });

  it('by a dialog that opened while Claude was at work, or that Claude asked for somebody with', () => {
    const dialog = { waitingFor: 'dialog open' };
    expect(sessionAfter(...turn, file(8, 'waiting', dialog)).state).toBe('needs-input');
    expect(
      sessionAfter(
        file(0, 'idle'),
        nudged(14, 'agent_needs_input'),
        file(8, 'waiting', { ...dialog, readAfter: 7 }),
      ).state,
    ).toBe('needs-input');
  });

  it('for each of two sub-agents, each settled alone', () => {
    const both = [...turn, asks(8, 'npm i', 'one'), asks(8.2, 'rm x', 'two')];
    expect(open(...both)).toEqual(['npm i', 'rm x']);
    expect(open(...both, ends(20, 'npm i', 'one'))).toEqual(['rm x']);
    expect(open(...both, { type: 'agent-stopped', at: at(20), agent: 'two' })).toEqual(['npm i']);
  });
});

describe('a prompt is retired', () => {
  const settled = (...after: readonly Observation[]) => open(...asked, ...after);

  it('when the file goes on, which is all that a Yes in the terminal shows', () => {
    expect(settled(file(20, 'busy'))).toEqual([]);
    expect(sessionAfter(...asked, file(20, 'busy')).state).toBe('busy');
  });

  it('b3: by the end of its tool', () => {
    expect(settled(ends(20, 'npm i'))).toEqual([]);
  });

  it('by the end of a batch', () => {
    const batch = { ...ends(20, ''), toolUseId: null, tool: null, inputKey: null } as Parameters<
      typeof settled
    >[0];
    expect(settled(batch)).toEqual([]);
  });

  it('by the transcript, which knows the tool call by its id', () => {
    const result = { ...ends(20, 'npm i'), source: 'transcript', inputKey: null } as Parameters<
      typeof settled
    >[0];
    expect(settled(result)).toEqual([]);
  });

  it('b4: by a No in the terminal, seen as an interrupt, a Stop or the next prompt', () => {
    expect(settled(file(20, 'idle'))).toEqual([]);
    expect(sessionAfter(...asked, file(20, 'idle')).state).toBe('idle');
    expect(settled(stopped(20, 'A'))).toEqual([]);
    expect(settled(submitted(20, 'B'))).toEqual([]);
  });

  it('by the next prompt of its thread, also when the file never showed anything in between', () => {
    expect(settled(asks(20, 'npm test'))).toEqual(['npm test']);
    expect(settled(file(19.9, 'waiting'), asks(20, 'npm test'))).toEqual(['npm test']);
    expect(settled(file(19.9, 'waiting'))).toEqual(['']);
  });

  it('not by another tool that ends, nor by what happened before it', () => {
    expect(settled(ends(20, 'ls'))).toEqual(['npm i']);
    expect(settled(ends(7.9, 'npm i'))).toEqual(['npm i']);
    expect(settled(file(5.1, 'busy'))).toEqual(['npm i']);
  });

  describe('of two equal commands in a row, the second', () => {
    const call = (one: Observation, toolUseId: string) => ({ ...one, toolUseId }) as Observation;
    const begin = [...turn, call(starts(7.9, 'npm i'), 'one'), asks(8, 'npm i')];
    const again = [call(starts(8.6, 'npm i'), 'two'), asks(8.7, 'npm i')];
    const firstEnds = call(ends(8.8, 'npm i'), 'one');

    it('not by the end of the first, however late that is told', () => {
      expect(open(...begin, ...again, firstEnds)).toEqual(['npm i']);
      expect(open(...begin, ...again, firstEnds, call(ends(20, 'npm i'), 'two'))).toEqual([]);
    });

    it('not where the hook of its own call is the later one', () => {
      const [called, asked] = again;
      const late = { ...called, at: at(8.75) } as Observation;
      expect(open(...begin, asked as Observation, firstEnds)).toEqual(['npm i']);
      expect(open(...begin, asked as Observation, firstEnds, late)).toEqual(['npm i']);
      expect(open(...begin, asked as Observation, late, call(ends(20, 'npm i'), 'two'))).toEqual([]);
    });

    it('not by the transcript, which tells of both calls before either is asked for', () => {
      const lines = ['one', 'two'].map((id) =>
        call({ ...starts(7.8, 'npm i'), source: 'transcript' } as Observation, id),
      );
      expect(open(...lines, ...begin, ...again, firstEnds)).toEqual(['npm i']);
      expect(open(...lines, ...begin, ...again, call(ends(20, 'npm i'), 'two'))).toEqual([]);
    });

    it('not of another sub-agent', () => {
      const both = [...turn, asks(8, 'npm i', 'one'), asks(8.1, 'npm i', 'two')];
      expect(open(...both, ends(20, 'npm i', 'one'))).toEqual(['npm i']);
    });
  });

  it('not by a file that was not written yet, but by one that still says busy long after', () => {
    const hookOnly = [...turn, asks(8, 'npm i')];
    expect(open(...hookOnly, file(5.1, 'busy', { readAfter: 3.5 }))).toEqual(['npm i']);
    expect(open(...hookOnly, file(5.1, 'busy', { readAfter: 8 }))).toEqual([]);
  });

  it.each([
    ['busy', 8.5],
    ['waiting', 8.65],
  ] as const)(
    'not by a file that went on (%s) from the one before it, answered a moment ago',
    (status, since) => {
      const answered = { type: 'prompt-answered', at: at(8.4), prompt: first } as const;
      const both = [...asked, answered, asks(8.7, 'npm test')];
      expect(open(...both, file(since, status, { readAfter: 0.3 }))).toEqual(['npm test']);
      expect(open(...both, file(8.65, 'waiting'), file(20, 'busy'))).toEqual([]);
    },
  );

  it('the form of an MCP server is not retired by a file that stays busy, but by its result, or an idle one', () => {
    const permission = asks(8, 'deploy');
    const before = [...turn, file(7.4, 'waiting'), asks(7.5, 'call')];
    const form = {
      ...permission,
      prompt: { ...(permission as PromptAsked).prompt, kind: 'elicitation', tool: null, inputKey: 'form' },
    } as Observation;
    const allowed = {
      type: 'prompt-answered',
      at: at(7.7),
      prompt: sessionAfter(...before).prompts[0]?.id,
    } as Observation;
    const shown = [...before, allowed, form, file(7.75, 'busy', { readAfter: 60 })];
    expect(open(...shown)).toEqual(['deploy']);
    expect(sessionAfter(...shown).state).toBe('needs-input');
    const result = { ...ends(70, 'deploy'), toolUseId: 'result', inputKey: 'form' } as Observation;
    expect(open(...shown, result)).toEqual([]);
    expect(open(...shown, file(70, 'idle'))).toEqual([]);
  });

  it("a sub-agent's hidden prompt is not retired by a file that stays busy, nor by Stop", () => {
    const hidden = [...turn, asks(8, 'npm i', 'one')];
    const stop = stopped(9, 'A', { background: { agents: 1, shells: 0 } });
    expect(open(...hidden, stop, file(5.1, 'busy', { readAfter: 60 }))).toEqual(['npm i']);
  });

  describe("a sub-agent's that is held", () => {
    const asked = asks(8, 'npm i', 'one');
    const prompt = sessionAfter(...turn, asked).prompts[0]?.id as PromptId;
    const held = { type: 'prompt-held', at: at(8), prompt, options: [] } as Observation;
    const hidden = [...turn, asked, held];

    it("not by what becomes of the main thread's, whose dialog is on the screen", () => {
      const both = [...hidden, file(9, 'waiting'), asks(9.1, 'rm x')];
      expect(open(...both)).toEqual(['npm i', 'rm x']);
      expect(open(...both, file(20, 'busy'))).toEqual(['npm i']);
      expect(open(...both, file(20, 'waiting'), asks(20.1, 'ls'))).toEqual(['npm i', 'ls']);
      const late = [...turn, file(7.5, 'waiting'), asks(7.6, 'rm x'), asked, held, file(20, 'busy')];
      expect(open(...late)).toEqual(['npm i']);
    });

    it('where it runs in the foreground: by the file, which waits for it alone', () => {
      expect(open(...hidden, file(8.1, 'waiting'), file(20, 'busy'))).toEqual([]);
      expect(open(...hidden, file(7.9, 'waiting'))).toEqual(['npm i']);
    });

    it('when its hold has ended, and its dialog was answered', () => {
      const shown = [...hidden, { ...held, at: at(68), options: null } as Observation, file(68.2, 'waiting')];
      expect(open(...shown)).toEqual(['npm i']);
      expect(open(...shown, file(80, 'busy'))).toEqual([]);
    });
  });

  it("two sub-agents' dialogs that queue on screen are settled one after the other", () => {
    const both = [...turn, asks(8, 'npm i', 'one'), asks(8.2, 'rm x', 'two'), file(38, 'waiting')];
    expect(open(...both, file(50, 'waiting'))).toEqual(['rm x']);
    expect(open(...both, file(50, 'waiting'), file(60, 'busy'))).toEqual([]);
    expect(open(...both, file(60, 'busy'))).toEqual([]);
  });

  it('comes back when the file still waits long after what looked like an answer', () => {
    const answered = [...asked, ends(9, 'npm i')];
    expect(open(...answered, file(7.9, 'waiting', { readAfter: 1.5 }))).toEqual([]);
    expect(sessionAfter(...answered, file(7.9, 'waiting', { readAfter: 5 }))).toMatchObject({
      state: 'needs-input',
      prompts: [{ answerable: 'no' }],
    });
  });
});

describe('how a prompt can be answered', () => {
  const yes = { key: '1', label: 'Yes', means: 'allow' } as const;
  const no = { key: '2', label: 'No', means: 'deny' } as const;
  const onScreen = [
    yes,
    { key: '2', label: 'Yes, and switch to auto mode', means: 'mode' },
    { key: '3', label: 'No', means: 'deny' },
  ] as const;
  const id = (...observations: readonly Observation[]) => {
    const [prompt] = sessionAfter(...observations).prompts;
    if (prompt === undefined) throw new Error('no prompt is open');
    return prompt.id;
  };
  const prompt = id(...asked);
  const held = (s: number, options: readonly Option[] | null): Observation => ({
    type: 'prompt-held',
    at: at(s),
    prompt,
    options,
  });
  const read = (s: number, options: readonly Option[] | null): Observation => ({
    type: 'dialog-read',
    at: at(s),
    prompt,
    options,
  });
  const answers = (...after: readonly Observation[]) => {
    const [first] = sessionAfter(...asked, ...after).prompts;
    return [first?.answerable, first?.options.map(({ key }) => key).join('')];
  };

  it('is by its hook while that is held, with the options on screen where they can be read', () => {
    expect(answers(held(8.1, [yes, no]))).toEqual(['hook', '12g']);
    expect(answers(held(8.1, [yes, no]), read(8.5, onScreen))).toEqual(['hook', '123g']);
  });

  it('is by keys once the hold has ended, and not at all where nothing can be read; its id stays', () => {
    expect(answers(held(8.1, [yes, no]), read(8.5, onScreen), held(60, null))).toEqual(['keys', '123g']);
    expect(answers(held(8.1, [yes, no]), held(60, null))).toEqual(['no', 'g']);
    expect(id(...asked, held(8.1, [yes]), held(60, null))).toBe(prompt);
  });

  it('does not depend on the order in which that is told', () => {
    expect(answers(held(60, null), held(8.1, [yes, no]))).toEqual(['no', 'g']);
  });

  it('is over when it was answered', () => {
    const answered = { type: 'prompt-answered', at: at(9), prompt } as const;
    expect(open(...asked, held(8.1, [yes, no]), answered)).toEqual([]);
    expect(sessionAfter(...asked, answered).state).toBe('busy');
  });

  it('is forgotten over a restart of the daemon, which ended the hold', () => {
    const saved = told(...asked, held(8.1, [yes, no])).save(at(20));
    const registry = createRegistry(JSON.parse(JSON.stringify(saved)));
    registry.observe(key, seenAlive(30));
    expect(only(registry).prompts).toMatchObject([{ id: prompt, answerable: 'no', text: 'npm i' }]);
    expect(registry.asked(prompt)?.text).toBe('npm i');
  });
});

describe('a text of megabytes', () => {
  it('is sent to nobody whole, but stays known', () => {
    const command = `start ${'x'.repeat(2_000_000)} end`;
    const registry = told(...turn, asks(8, command));
    const session = only(registry);
    expect(JSON.stringify(session).length).toBeLessThan(10_000);
    expect(session.prompts).toMatchObject([
      { truncated: true, text: expect.stringMatching(/^start x+…x+ end$/) },
    ]);
    expect(registry.asked(session.prompts[0]?.id as PromptId)?.text).toBe(command);
  });

  it('is forgotten once its prompt is settled, and not kept on disk', () => {
    const command = 'x'.repeat(2_000_000);
    const prompts = Array.from({ length: 20 }, (_, index) => asks(8 + index, `${index} ${command}`));
    const registry = told(...turn, ...prompts);
    const saved = JSON.stringify(registry.save(at(40)));
    expect(saved.length).toBeLessThan(200_000);
    const [open] = only(registry).prompts;
    expect(registry.asked(open?.id as PromptId)?.text).toBe(`19 ${command}`);
    registry.observe(key, stopped(50, 'A'));
    expect(registry.asked(open?.id as PromptId)?.text.length).toBeLessThan(5000);
  });

  it('is known to be cut also after a restart of the daemon', () => {
    const saved = told(...turn, asks(8, 'x'.repeat(2_000_000))).save(at(20));
    const registry = createRegistry(JSON.parse(JSON.stringify(saved)));
    registry.observe(key, seenAlive(30));
    expect(only(registry).prompts).toMatchObject([{ truncated: true }]);
  });

  it('is shortened when Claude says it', () => {
    const registry = told(...turn, stopped(9, 'A', { lastMessage: `start ${'x'.repeat(2_000_000)} end` }));
    expect(only(registry).lastMessage).toMatch(/^start x+…x+ end$/);
    expect(JSON.stringify(registry.save(at(40))).length).toBeLessThan(20_000);
  });
});
