import { describePrompts } from './prompts.ts';

describePrompts('2.1.197');
