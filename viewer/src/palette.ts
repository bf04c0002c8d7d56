// palette.ts - one colour for each regime, everywhere; both themes, read from theme.css.

export type Hue = 'stick' | 'slide' | 'tip' | 'separate' | 'impact' | 'soft';
export const HUES: Hue[] = ['stick', 'slide', 'tip', 'separate', 'impact', 'soft'];

/** The colour class of a regime by its name. */
export function hueOf(regime: string): Hue {
  if (regime.includes('tip')) return 'tip';
  if (regime === 'slide') return 'slide';
  if (regime === 'stick') return 'stick';
  return 'separate';
}

export const SOFT_STATES = ['apart', 'sticks', 'slips'];

export interface Theme {
  dark: boolean;
  paper: string;
  ink: string;
  soft: string;
  grid: string;
  hues: Record<Hue, string>;
}

let current: Theme | null = null;

function read(): Theme {
  const style = getComputedStyle(document.documentElement);
  const get = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const hues = Object.fromEntries(HUES.map((h) => [h, get(h)])) as Record<Hue, string>;
  return { dark: get('dark') === '1', paper: get('paper'), ink: get('ink'), soft: get('quiet'), grid: get('grid'), hues };
}

export function theme(): Theme {
  return (current ??= read());
}

const listeners: (() => void)[] = [];

export function onTheme(listener: () => void): void {
  listeners.push(listener);
}

function announce(): void {
  current = read();
  for (const listener of listeners) listener();
}

/** Follows the system until a choice is made; the button walks system, light, dark. */
export function setTheme(choice: 'system' | 'light' | 'dark'): void {
  if (choice === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  announce();
}

export function watchSystemTheme(): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', announce);
}

/** Series of a plot that are no regimes: distinct in both themes and for colour-blind readers. */
export function seriesColor(i: number): string {
  const light = ['#0064a8', '#c25700', '#8a3fb0', '#1a7f4e', '#b3261e', '#6b7480', '#00798a', '#8c5a14', '#a03070'];
  const dark = ['#56b4e9', '#f0a030', '#cf9be8', '#5fd08f', '#ff8a80', '#a3adb8', '#4fd0e0', '#e0c060', '#f090c0'];
  const list = theme().dark ? dark : light;
  return list[i % list.length];
}

export const DASHES: number[][] = [[], [6, 3], [2, 3]];
export function seriesDash(i: number): number[] {
  return DASHES[Math.floor(i / 9) % DASHES.length];
}
