import { pango } from '../bars/text.ts';
import type { Card } from './card.ts';
import type { Request, Server } from './server.ts';

/**
 * A card as one server shows it best.
 *
 * | server | what it does (observed) |
 * |---|---|
 * | dunst 1.9.0 | draws no buttons; the actions are in `dunstctl context`; left click closes, middle click is "default" |
 * | mako 1.7.1 | draws no buttons; the actions are in `makoctl menu`; left click is "default" |
 * | xfce4-notifyd 0.7.3, lxqt-notificationd 1.2 | draw a button for "default" too |
 * | mate-notification-daemon 1.26, notification-daemon 3.20 | draw a button for all but "default", which is a click elsewhere |
 */
interface Ways {
  /** Where the actions are, for want of buttons. */
  readonly menu?: string;
  readonly drawsDefault?: true;
}

const WAYS: Readonly<Record<string, Ways>> = {
  dunst: { menu: 'dunstctl context' },
  mako: { menu: 'makoctl menu' },
  'Xfce Notify Daemon': { drawsDefault: true },
  'lxqt-notificationd': { drawsDefault: true },
};

/** The program that lists the actions of a server that draws no buttons. */
export function menuOf(server: string): string | null {
  return WAYS[server]?.menu ?? null;
}

const URGENCIES = { low: 0, normal: 1, critical: 2 } as const;
/** Freedesktop's name for a terminal, which every icon theme has. */
const ICON = 'utilities-terminal';

/** @param loud false: it only changes what is on screen already. */
export function requestOf(
  card: Card,
  { name, capabilities }: Server,
  loud: boolean,
): Omit<Request, 'replaces'> {
  const ways = WAYS[name] ?? {};
  const acts = capabilities.has('actions');
  const lines = [...card.lines];
  if (card.answer !== null && !(acts && ways.menu === undefined)) {
    const { options, command } = card.answer;
    lines.push(
      options,
      `Answer with: ${acts && ways.menu !== undefined ? `${ways.menu}, or ` : ''}${command}`,
    );
  }
  const body = lines.join('\n');
  const { whole } = card;
  const buttons = card.buttons.filter((button) => ways.drawsDefault !== true || button !== whole);
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
