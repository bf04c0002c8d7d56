// format.ts - numbers with units as people read them: three to four digits, a prefix, no noise.

const PREFIXES: [number, string][] = [
  [1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n'],
];

/** Three or four significant digits without a unit. */
export function plain(x: number, digits = 4): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? 'not a number' : x > 0 ? '∞' : '−∞';
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size >= 1e5 || size < 1e-3) return x.toExponential(Math.min(2, digits - 1)).replace('e+', 'e').replace(/-/g, '−');
  return String(Number(x.toPrecision(digits))).replace('-', '−');
}

/** With a unit and its prefix: 0.00123, "m" gives "1.23 mm". Units with a prefix already (kg) are left alone. */
export function quantity(x: number, unit: string, digits = 3): string {
  if (!Number.isFinite(x)) return plain(x);
  if (x === 0) return `0 ${unit}`;
  const size = Math.abs(x);
  if (size >= 1e12 || size < 0.9995e-9) return `${plain(x, 3)} ${unit}`;
  for (const [factor, prefix] of PREFIXES) {
    if (size < factor * 0.9995) continue;
    const number = String(Number((x / factor).toPrecision(digits))).replace('-', '−');
    return `${number} ${prefix}${unit}`;
  }
  return `${plain(x, 3)} ${unit}`;
}

/** For angles and things that take no prefix. */
export function withUnit(x: number, unit: string): string {
  return `${plain(x)} ${unit}`;
}

export function seconds(t: number): string {
  return Number.isFinite(t) ? `${t.toFixed(3)} s` : 'no time';
}

export function percent(x: number): string {
  return Number.isFinite(x) ? `${x >= 0.0995 ? Math.round(100 * x) : Number((100 * x).toPrecision(2))} %` : 'no limit';
}

/** The largest of 1, 2, 5 times a power of ten that is at most x. */
export function niceBelow(x: number): number {
  if (!(x > 0) || !Number.isFinite(x)) return 1;
  const power = 10 ** Math.floor(Math.log10(x));
  const share = x / power;
  return (share >= 5 ? 5 : share >= 2 ? 2 : 1) * power;
}

export function words(name: string): string {
  return name.replace(/_/g, ' ');
}
