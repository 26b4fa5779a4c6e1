import { type Dialog, readDialog } from '../../src/claude/dialog.ts';

export const read = (text: string): Dialog => {
  const dialog = readDialog(text);
  if (dialog === null) throw new Error('no dialog was read');
  return dialog;
};

/** Options as one reads them: `> 1 allow Yes`. */
export const options = (dialog: Dialog): readonly string[] =>
  dialog.options.map(({ highlighted, key, means, label }) =>
    [...(highlighted ? ['>'] : []), key ?? '-', means, label.replace(/ +/g, ' ')].join(' '),
  );

export const always = (rule: string) => `2 allow-always Yes, and ${rule}`;
export const auto = (key: number) =>
  `${key} mode Yes, and switch to auto mode · auto mode handles these prompts for you`;
export const acceptEdits =
  '2 mode Yes, and switch to accept edits (auto-approve file edits and common file commands) for this session (shift+tab)';
export const inRun = [
  '> 1 allow Yes',
  always('always allow access to /home/ada/run from this project'),
  auto(3),
  '4 deny No',
];
export const npm = ['> 1 allow Yes', always('don’t ask again for: npm install *'), auto(3), '4 deny No'];
export const oldRun = ['> 1 allow Yes', always('always allow access to run/ from this project'), '3 deny No'];
export const inFolder = [
  '> 1 allow Yes',
  always('always allow access to /home/ada/some/folder-xy/outside from this project'),
  auto(3),
  '4 deny No',
];
export const longQuestion = [
  '> 1 choice The first one, whose label is rather long as well',
  '2 choice Short',
  '3 choice 第二の選択肢',
  '4 choice Type something.',
  '5 choice Chat about this',
];
export const yesOrNo = ['> 1 allow Yes', '2 deny No'];
export const file = ['> 1 allow Yes', acceptEdits, '3 deny No'];
export const database = [
  '> 1 choice PostgreSQL',
  '2 choice SQLite',
  '3 choice MongoDB',
  '4 choice Type something.',
];
export const features = ['> 1 choice Search', '2 choice Cart', '3 choice Reviews', '4 choice Type something'];
export const fixSettings = [
  '> 1 choice Continue',
  '2 choice Fix with Claude',
  '3 choice Exit and fix manually',
];
