import { pango } from '../bars/text.ts';
import { widthOf } from '../bars/width.ts';
import type { Button, Card } from './card.ts';
import type { Request, Server } from './server.ts';

/**
 * A card as one server shows it best.
 *
 * | server | what it does (observed) |
 * |---|---|
 * | dunst 1.9.0 | draws no buttons; the actions are in `dunstctl context`; left click closes, middle click is "default" |
 * | mako 1.7.1 | draws no buttons; the actions are in `makoctl menu`; left click is "default" |
 * | xfce4-notifyd 0.7.3, lxqt-notificationd 1.2 | draw a button for "default" too |
 * | mate-notification-daemon 1.26 | draws a button for all but "default", which is a click elsewhere |
 * | notification-daemon 3.20 | the same, in one row, of which what is too long is cut off; what is closed stays on the screen, unless it expires |
 */
interface Ways {
  /** Where the actions are, for want of buttons. */
  readonly menu?: string;
  readonly drawsDefault?: true;
  /** Columns of the only row of buttons. */
  readonly row?: number;
  /** A closed one stays on the screen, and hides the next. */
  readonly lingers?: true;
}

/** By name, or by vendor and name where two vendors have a server of that name. */
const WAYS: Readonly<Record<string, Ways>> = {
  dunst: { menu: 'dunstctl context' },
  mako: { menu: 'makoctl menu' },
  'Xfce Notify Daemon': { drawsDefault: true },
  'lxqt-notificationd': { drawsDefault: true },
  'GNOME Notification Daemon': { row: 44, lingers: true },
};

type Named = Pick<Server, 'name' | 'vendor'>;

function waysOf({ name, vendor }: Named): Ways {
  return WAYS[name] ?? WAYS[`${vendor} ${name}`] ?? {};
}

/** The program that lists the actions of a server that draws no buttons. */
export function menuOf(server: Named): string | null {
  return waysOf(server).menu ?? null;
}

/** Whether a notification of this server has to expire before it is closed. */
export function lingers(server: Named): boolean {
  return waysOf(server).lingers === true;
}

const URGENCIES = { low: 0, normal: 1, critical: 2 } as const;
/** Freedesktop's name for a terminal, which every icon theme has. */
const ICON = 'utilities-terminal';

/** @param loud false: it only changes what is on screen already. */
export function requestOf(card: Card, server: Server, loud: boolean): Omit<Request, 'replaces'> {
  const { capabilities } = server;
  const ways = waysOf(server);
  const acts = capabilities.has('actions');
  const lines = [...card.lines];
  const buttons = buttonsOf(card, ways);
  const answersByButton = acts && ways.menu === undefined && buttons.some(({ deed }) => deed.do === 'answer');
  if (card.answer !== null && !answersByButton) {
    const { options, command } = card.answer;
    lines.push(
      options,
      `Answer with: ${acts && ways.menu !== undefined ? `${ways.menu}, or ` : ''}${command}`,
    );
  }
  const body = lines.join('\n');
  const { whole } = card;
  return {
    icon: ICON,
    // The summary is plain text everywhere; the body only where the server does not say otherwise.
    summary: card.title,
    body: capabilities.has('body-markup') ? pango(body) : body,
    actions: acts
      ? [['default', whole.label], ...buttons.map(({ key, label }) => [key, label] as const)]
      : [],
    hints: {
      urgency: ['y', URGENCIES[card.urgency]],
      category: ['s', card.category],
      'desktop-entry': ['s', 'tsmux'],
      ...(card.stays ? { resident: ['b', true] as const } : {}),
      ...(loud && card.sound !== null
        ? { 'sound-name': ['s', card.sound] as const }
        : { 'suppress-sound': ['b', true] as const }),
    },
    timeout: card.stays ? 0 : -1,
  };
}

/** Columns that a button takes beside its label. */
const FRAME = 4;

/**
 * Where they have one row, what can be had otherwise gives way: the way to the terminal, which is a click on the notification too,
 * and what allows for good. When that is not enough none of the options is a button: one that is cut off would be missed.
 */
function buttonsOf({ buttons, whole }: Card, { drawsDefault, row = Number.POSITIVE_INFINITY }: Ways) {
  const isGo = (button: Button) => button === whole;
  const isAlways = ({ deed }: Button) => deed.do === 'answer' && deed.option.means === 'allow-always';
  const all = drawsDefault ? buttons.filter((button) => !isGo(button)) : buttons;
  const columns = (some: readonly Button[]) =>
    some.reduce((sum, { label }) => sum + widthOf(label) + FRAME, 0);
  const choices = [
    all,
    all.filter((button) => !isGo(button)),
    all.filter((button) => !isAlways(button)),
    all.filter((button) => !isGo(button) && !isAlways(button)),
  ];
  return choices.find((some) => columns(some) <= row) ?? all.filter(isGo);
}
