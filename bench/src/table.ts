// The table that the bench prints, as Markdown.
import type { BenchRow } from './bench-case.ts';

export interface TableLine extends BenchRow {
  readonly id: string;
}

const HEADS = ['#', 'work', 'ours', 'peer', 'floor', 'ours/peer', 'ours/floor', 'reach', ''];

/** Makes the table; figures have three significant digits. */
export function makeTable(lines: readonly TableLine[]): string {
  const rows = lines.map((line) => [
    line.id,
    line.what,
    withUnit(line.ours, line.unit),
    line.peer === undefined ? '' : withUnit(line.peer, line.unit),
    line.floor === undefined ? '' : withUnit(line.floor, line.unit),
    ratio(line.ours, line.peer),
    ratio(line.ours, line.floor),
    line.reach ?? '',
    line.reached === undefined ? '' : line.reached ? 'yes' : 'NO',
  ]);
  const widths = HEADS.map((head, column) =>
    Math.max(...[head, ...rows.map((row) => row[column]!)].map((text) => text.length)),
  );
  const print = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [print(HEADS), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(print)].join('\n');
}

/** A ratio as people say it: `1/25`, or `1.4` where ours is the larger. */
function ratio(ours: number, other: number | undefined): string {
  if (other === undefined || ours <= 0 || other <= 0) return '';
  return ours <= other ? `1/${digits(other / ours)}` : digits(ours / other);
}

function withUnit(value: number, unit: string): string {
  return `${digits(value)} ${unit}`;
}

export function digits(value: number): string {
  return Math.abs(value) >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
