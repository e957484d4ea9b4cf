/** Two kinds of plots as SVG: bars and lines. */

interface Bar {
  label: string;
  value: number;
  text: string;
  color: string;
}

interface BarPlot {
  title: string;
  bars: Bar[];
  /** A value that is marked with a line, such as the aim. */
  mark?: { value: number; text: string };
  /** True for a logarithmic scale, on which equal lengths are equal factors. */
  isLogarithmic?: boolean;
}

export const colors = { good: '#2b8a3e', bad: '#c92a2a', one: '#1864ab', two: '#868e96', three: '#e67700' };

const [labelWidth, plotWidth, textWidth] = [330, 300, 150];
const [rowHeight, top] = [20, 50];

export function barPlot({ title, bars, mark, isLogarithmic = false }: BarPlot): string {
  const values = [...bars.map(({ value }) => value), ...(mark ? [mark.value] : [])];
  const smallest = isLogarithmic ? Math.min(...values) / 1.5 : 0;
  const scale = (value: number): number => (isLogarithmic ? Math.log(value / smallest) : value);
  const x = (value: number): number => (scale(value) / scale(Math.max(...values))) * plotWidth;
  const height = top + bars.length * rowHeight + 10;
  const rows = bars.map(({ label, value, text, color }, row) => {
    const y = top + row * rowHeight;
    return [
      `<text x="${labelWidth - 8}" y="${y + 13}" text-anchor="end">${escaped(label)}</text>`,
      `<rect x="${labelWidth}" y="${y + 2}" width="${x(value).toFixed(1)}" height="${rowHeight - 5}" fill="${color}"/>`,
      `<text x="${(labelWidth + x(value) + 6).toFixed(1)}" y="${y + 13}" stroke="#fff" stroke-width="4" paint-order="stroke">${escaped(text)}</text>`,
    ].join('');
  });
  const at = mark ? labelWidth + x(mark.value) : 0;
  const line = mark
    ? `<line x1="${at}" y1="${top - 6}" x2="${at}" y2="${height - 8}" stroke="#212529" stroke-dasharray="4 3"/>
<text x="${at}" y="${top - 10}" text-anchor="middle">${escaped(mark.text)}</text>`
    : '';
  return page(title, labelWidth + plotWidth + textWidth, height, [line, ...rows]);
}

interface LinePlot {
  title: string;
  xName: string;
  lines: { name: string; color: string; points: [x: number, y: number][] }[];
}

export function linePlot({ title, xName, lines }: LinePlot): string {
  const [width, height, left, bottom] = [640, 300, 50, 260];
  const points = lines.flatMap((line) => line.points);
  const [maxX, maxY] = [Math.max(...points.map(([x]) => x)), Math.max(...points.map(([, y]) => y)) * 1.1];
  const x = (value: number): string => (left + (value / maxX) * (width - left - 20)).toFixed(1);
  const y = (value: number): string => (bottom - (value / maxY) * (bottom - top)).toFixed(1);
  const step = 10 ** Math.floor(Math.log10(maxY)) / (maxY / 10 ** Math.floor(Math.log10(maxY)) < 3 ? 2 : 1);
  const grid = Array.from({ length: Math.floor(maxY / step) + 1 }, (_, n) => n * step).map(
    (value) => `<line x1="${left}" y1="${y(value)}" x2="${width - 20}" y2="${y(value)}" stroke="#dee2e6"/>
<text x="${left - 6}" y="${Number(y(value)) + 4}" text-anchor="end">${Number(value.toPrecision(3))}</text>`,
  );
  const drawn = lines.map(({ name, color, points: own }, number) => {
    const path = own.map(([px, py]) => `${x(px)},${y(py)}`).join(' ');
    return `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/>
<text x="${left + 10 + number * 190}" y="42" fill="${color}">${escaped(name)}</text>`;
  });
  const ends = `<text x="${x(0)}" y="${bottom + 18}">0</text>
<text x="${x(maxX)}" y="${bottom + 18}" text-anchor="end">${maxX} ${escaped(xName)}</text>`;
  return page(title, width, height, [...grid, ...drawn, ends]);
}

function page(title: string, width: number, height: number, content: string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}" font-family="system-ui, sans-serif" font-size="11">
<rect width="100%" height="100%" fill="#fff"/>
<text x="12" y="22" font-size="14" font-weight="600">${escaped(title)}</text>
${content.filter((part) => part !== '').join('\n')}
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
