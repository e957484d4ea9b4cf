/** The style of the printed report: light on any screen, A4 on paper. The colours are those of the console. */
export const style = `
@page { margin: 14mm; size: A4; }
:root { color-scheme: light; }
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 62rem; padding: 24px 16px; background: #fff; color: #1a1a1a;
  font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: anywhere;
}
h1 { margin: 0; font-size: 22px; line-height: 1.3; }
h2 { margin: 28px 0 0; font-size: 17px; }
p { margin: 2px 0 8px; color: #565656; }
dl { display: grid; grid-template-columns: repeat(4, 1fr); gap: 10px; margin: 16px 0 0; }
dl > div { padding: 8px 12px; border: 1px solid #e3dfd8; border-radius: 8px; }
dt, dd.note { color: #565656; font-size: 12px; }
dd { margin: 0; font-size: 22px; font-weight: 600; line-height: 1.3; }
dd.note { font-weight: 400; line-height: 1.4; }
dd.bad { color: #b3261e; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: 5px 8px; border-bottom: 1px solid #e3dfd8; font-weight: 400; text-align: right; vertical-align: top; }
td { overflow-wrap: normal; }
thead th { color: #565656; font-size: 12px; font-weight: 600; white-space: nowrap; }
th:first-child { padding-left: 0; min-width: 9rem; text-align: left; }
td.text, th.text { min-width: 7rem; overflow-wrap: anywhere; text-align: left; }
table.fields th { width: 30%; }
table.fields td { overflow-wrap: anywhere; text-align: left; white-space: pre-line; }
.missing { color: #b3261e; }
.date { white-space: nowrap; }
svg { display: block; }
.chart { width: 100%; height: auto; }
svg text { fill: #565656; font-size: 11px; }
.bar { width: 30%; min-width: 6rem; padding-top: 10px; }
.bar svg { width: 100%; height: 9px; }
.legend span { margin-right: 16px; white-space: nowrap; }
.key { display: inline-block; margin-right: 5px; }
.axis { stroke: #c4bfb5; }
.open { fill: #0f5c66; stroke: #0f5c66; }
.line { fill: none; stroke-width: 2; }
.new { fill: #d2501a; }
.fixed { fill: #4d8a3b; }
.critical { fill: #8f1747; }
.high { fill: #d2501a; }
.medium { fill: #b98900; }
.low { fill: #3c7dc4; }
.info { fill: #7c8794; }
.unknown { fill: #a39c90; }
@media screen and (max-width: 48em) {
  dl { grid-template-columns: 1fr 1fr; }
}
@media print {
  body { max-width: none; padding: 0; }
  tr, dl > div, svg { break-inside: avoid; }
  h2, h2 + p, thead, .legend { break-after: avoid; }
}
`;
