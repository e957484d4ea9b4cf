import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processorMs } from '../../../test/support/processor-time.ts';
import { ReportError } from '../report.ts';
import { defaultLimits, type Limits, ParseContext } from './limits.ts';
import { attributeOf, childOf, childrenOf, readXml, textOf, type XmlElement, xmlRoot } from './xml.ts';

function rowsOf(
  text: string,
  row: string | string[],
  limits: Partial<Limits> = {},
): { rows: [string, XmlElement][]; warnings: string[] } {
  const context = new ParseContext({ ...defaultLimits, ...limits });
  const rows: [string, XmlElement][] = [];
  readXml(text, context, { row, onRow: (element, pointer) => rows.push([pointer, element]) });
  return { rows, warnings: context.warnings };
}

function refusal(text: string, limits: Partial<Limits> = {}): ReportError {
  try {
    rowsOf(text, 'row', limits);
  } catch (error) {
    assert.ok(error instanceof ReportError, String(error));
    return error;
  }
  throw assert.fail('the document was taken');
}

test('rows come with their position and children, without prefixes', () => {
  const { rows } = rowsOf(
    `<?xml version="1.0"?><!-- garden --><a:plot xmlns:a="urn:garden"><bed><a:row a:id="1"><name> bean &amp; <![CDATA[<pea>]]></name></a:row>
     <row id="2"><row id="3"/></row></bed><bed/><bed><row/></bed></a:plot>`,
    'row',
  );
  assert.deepEqual(
    rows.map(([pointer, element]) => [pointer, attributeOf(element, 'id'), element.children.length]),
    [
      ['/plot/bed[1]/row[1]', '1', 1],
      ['/plot/bed[1]/row[2]', '2', 1],
      ['/plot/bed[3]/row[1]', null, 0],
    ],
  );
  const [first, second] = rows.map(([, element]) => element);
  assert.equal(textOf(first ?? null, 'name'), 'bean & <pea>');
  assert.equal(attributeOf(childOf(second ?? null, 'row'), 'id'), '3');
  assert.deepEqual(childrenOf(first ?? null, 'other'), []);
  assert.equal(textOf(null, 'name'), null);
});

test('a long name of an element around rows is cut in their pointers', () => {
  const name = 'n'.repeat(100_000);
  const { rows } = rowsOf(`<plot><${name}><row/><row/></${name}></plot>`, 'row');
  assert.deepEqual(
    rows.map(([pointer]) => pointer),
    [1, 2].map((number) => `/plot/${'n'.repeat(200)}[1]/row[${number}]`),
  );
});

test('elements around rows are reported as they open, and the root may be a row', () => {
  const seen: string[] = [];
  const context = new ParseContext(defaultLimits);
  readXml('<plot><bed size="2"><row><bed/></row></bed></plot>', context, {
    row: ['row', 'tree'],
    onRoot: (root) => seen.push(root.name),
    onOpen: (element, pointer) => seen.push(`${pointer} ${attributeOf(element, 'size')}`),
    onRow: (element, pointer) => seen.push(`${element.name} ${pointer}`),
  });
  assert.deepEqual(seen, ['plot', '/plot/bed[1] 2', 'row /plot/bed[1]/row[1]']);
  assert.equal(rowsOf('<row/>', 'row').rows[0]?.[0], '/row');
});

test('document types and entities are refused with their line', () => {
  const bomb =
    '<?xml version="1.0"?>\n<!DOCTYPE x [\n<!ENTITY a "hidden">\n<!ENTITY b "&a;&a;">\n]>\n<x>&b;</x>';
  for (const [text, line] of [
    [bomb, 2],
    ['\n\n<!DOCTYPE x SYSTEM "file:///hidden"><x/>', 3],
    ['<x>\n&hidden;</x>', 2],
    ['<x a="\n&hidden;"/>', 2],
  ] as const) {
    const error = refusal(text);
    assert.deepEqual([error.code, error.line], ['MALFORMED_REPORT', line], text);
    assert.ok(!error.message.includes('hidden'), error.message);
  }
});

test('a format may skip document types, but none that declares entities', () => {
  const read = (text: string): number => {
    let count = 0;
    readXml(text, new ParseContext(defaultLimits), {
      row: 'row',
      skipsDocumentType: true,
      onRow: () => count++,
    });
    return count;
  };
  const harmless = '<!DOCTYPE x [\n<!ELEMENT x (row*)>\n<!ATTLIST row size CDATA "1">\n]>';
  assert.equal(read(`<?xml version="1.0"?>\n${harmless}\n<x><row/><row/></x>`), 2);
  assert.equal(read('<!DOCTYPE x SYSTEM "file:///hidden"><x><row/></x>'), 1);
  for (const [text, line] of [
    ['<!DOCTYPE x [\n<!ENTITY a "hidden">\n]>\n<x><row/></x>', 1],
    ['<!DOCTYPE x [<!ENTITY % a SYSTEM "file:///hidden"> %a;]><x><row/></x>', 1],
    [`${harmless}\n<x>\n&hidden;<row/></x>`, 6],
  ] as const) {
    assert.throws(
      () => read(text),
      (error) => error instanceof ReportError && error.line === line && !error.message.includes('hidden'),
      text,
    );
  }
});

test('broken XML is refused with its line, and the text is never quoted', () => {
  for (const [text, line] of [
    ['<x>\n<hidden></other></x>', 2],
    ['<x>\n<hidden>\n', 3],
    ['<x>\n<y hidden></y></x>', 2],
    ['<x a="1" a="2"/>', 1],
    ['<x/>\nhidden', 2],
    ['<x/><y/>', 1],
    ['<x>&#0;</x>', 1],
    ['<x>\u0001</x>', 1],
    ['<x', 1],
    ['', 1],
  ] as const) {
    const error = refusal(text);
    assert.deepEqual([error.code, error.line], ['MALFORMED_REPORT', line], text);
    assert.ok(!error.message.includes('hidden'), error.message);
  }
});

test('limits apply inside and outside of rows', () => {
  for (const name of ['x', 'row']) {
    const deep = `<${name}>`.repeat(300_000);
    assert.equal(refusal(deep).code, 'LIMIT_EXCEEDED');
  }
  const { rows, warnings } = rowsOf('<row a="12345678901">1234<![CDATA[5678]]>9012<b>3</b>4</row>', 'row', {
    maxTextLength: 10,
  });
  assert.equal(rows[0]?.[1].text, '1234567890');
  assert.equal(attributeOf(rows[0]?.[1] ?? null, 'a'), '1234567890');
  assert.deepEqual(warnings, ['A text longer than 10 characters was cut.']);
});

test('names such as __proto__ are ordinary names', () => {
  const { rows } = rowsOf('<__proto__><row __proto__="1" constructor="2"/></__proto__>', 'row');
  assert.equal(attributeOf(rows[0]?.[1] ?? null, '__proto__'), '1');
  assert.equal(refusal('<x>&constructor;</x>').code, 'MALFORMED_REPORT');
});

test('reading time grows linearly with the size of the document', () => {
  for (const text of [
    `<row>${'<![CDATA[x]]>'.repeat(300_000)}</row>`,
    `<row>${'&lt;'.repeat(500_000)}</row>`,
    `<x>${'<y/>'.repeat(300_000)}</x>`,
    `<row ${Array.from({ length: 50_000 }, (_, index) => `a${index}=""`).join(' ')}/>`,
  ]) {
    const started = processorMs();
    rowsOf(text, 'row', { maxTextLength: 100_000 });
    assert.ok(processorMs() - started < 3000, text.slice(0, 30));
  }
});

test('a format is recognised by the root alone', () => {
  assert.deepEqual(xmlRoot('<?xml version="1.0"?>\n<!-- a --><b:bom xmlns:b="urn:b"><broken'), {
    name: 'bom',
    namespace: 'urn:b',
  });
  assert.deepEqual(xmlRoot('\n<bom xmlns="urn:c"/>'), { name: 'bom', namespace: 'urn:c' });
  assert.deepEqual(xmlRoot('<bom/>'), { name: 'bom', namespace: null });
  for (const text of ['{"a": "<bom/>"}', '', '<', '<!-- <bom/>', '<<']) assert.equal(xmlRoot(text), null);
});
