/** Tests of the encoding of reports. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeReport } from './decode.ts';
import { defaultLimits } from './limits.ts';

const decoded = (declaration: string, text: string, encoding: BufferEncoding): string =>
  decodeReport(Buffer.from(declaration + text, encoding), defaultLimits).text.slice(declaration.length);

test('XML that is no UTF-8 is read in the encoding that it declares', () => {
  for (const name of ['windows-1252', 'ISO-8859-1', 'latin1']) {
    const declaration = `<?xml version="1.0" encoding="${name}"?>`;
    assert.equal(decoded(declaration, '<a>Größe</a>', 'latin1'), '<a>Größe</a>', name);
    assert.equal(decoded(declaration, '<a>Größe</a>', 'utf8'), '<a>Größe</a>', `${name}, but it is UTF-8`);
  }
  assert.equal(decoded("<?xml version='1.0' encoding='koi8-r'?>", '<a>\u00c1</a>', 'latin1'), '<a>а</a>');
});

test('bytes that are no UTF-8 are replaced if the report declares no other known encoding', () => {
  for (const declaration of [
    '',
    '<?xml version="1.0"?>',
    '<?xml version="1.0" encoding="utf-8"?>',
    '<?xml version="1.0" encoding="utf-16"?>',
    '<?xml version="1.0" encoding="none"?>',
    '<!-- encoding="windows-1252" -->',
  ]) {
    assert.equal(decoded(declaration, '<a>Größe</a>', 'latin1'), '<a>Gr\ufffd\ufffde</a>', declaration);
  }
});
