import type { Manner } from '../../src/attention/notify.ts';
import type { Prompt, PromptId } from '../../src/sessions/prompt.ts';
import type { Session } from '../../src/sessions/session.ts';
import { aSession } from '../support/sessions.ts';

export const plain: Manner = {
  show: true,
  urgency: 'critical',
  sound: true,
  cooldown: 0,
  minWork: 0,
  breaksQuiet: false,
  command: null,
};

export function aPrompt(facts: Omit<Partial<Prompt>, 'id'> & { readonly id?: string } = {}): Prompt {
  return {
    kind: 'permission',
    title: 'Bash',
    text: 'npm install',
    truncated: false,
    agent: null,
    answerable: 'hook',
    since: 1_000,
    pinned: false,
    questions: [],
    asking: null,
    options: [
      { key: '1', label: 'Yes', means: 'allow' },
      { key: '2', label: "Yes, and don't ask again for: npm install *", means: 'allow-always' },
      { key: '3', label: 'No', means: 'deny' },
      { key: 'g', label: 'Go to terminal', means: 'go' },
    ],
    ...facts,
    id: (facts.id ?? 'p7c2') as PromptId,
  };
}

export function asking(prompt: Prompt = aPrompt(), facts: Partial<Session> = {}): Session {
  return aSession({
    ...facts,
    id: 'k3f7',
    name: 'webshop',
    branch: 'main',
    state: 'needs-input',
    prompts: [prompt],
  });
}
