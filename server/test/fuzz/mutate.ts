/** Changes of a report's tree after which it is usually still a report of its format. */
import type { Random } from './random.ts';

/** A value with the object or list that holds it. */
interface Place {
  holder: Record<string, unknown>;
  key: string;
  depth: number;
}

const changes = [
  'drop',
  'swap',
  'repeat',
  'retype',
  'nest',
  'cut',
  'graft',
  'text',
  'number',
  'name',
] as const;
type Change = (typeof changes)[number];

export const oddTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b\ud800',
  '\udfff',
  '\u202egnp.exe\u2066',
  'Ω≈ç√∫\ufffe\uffff',
  '\u001b[31mred\r\n::error::x',
  '__proto__',
  'constructor',
  '../../../etc/passwd',
  'C:\\Users\\x\\..\\y',
  '/'.repeat(5_000),
  'file:///%zz/%00/%2e%2e/a',
  'https://user:pass@[::1]:99999/%?#',
  'javascript:alert(1)',
  'pkg:npm/%40scope/name@1.0.0?a=b#c/../d',
  'pkg:/@',
  'pkg:npm/',
  'pkg:npm/%zz@%',
  'pkg:generic/a/b/c/d@1@2@3??##',
  '0.0.0-0+0',
  '99999999999999999999.1.0',
  'v1.2.3 || >=4 <5 ,,',
  '1:2.3~rc1-4ubuntu5',
  '>= 0, < 1',
  '2026-13-45T99:99:99Z',
  '0000-00-00',
  '2026-02-30T00:00:00+99:99',
  '9999999999999',
  'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  'CVSS:4.0/AV:N',
  'CVSS:3.1/',
  'AV:N/AC:L/Au:N/C:P/I:P/A:P',
  'CVSS:9.9/AV:N/AV:N',
  'CVE-2026-99999999999',
  'CVE-',
  'GHSA-xxxx-xxxx-xxxx',
  'CWE-79, CWE-89',
  'CRITICAL',
  '9'.repeat(400),
  '-1',
  'NaN',
  '{0}{1}{99}',
  '(((((((((((((((((((((((((a+)+)+)+',
  '<b>&amp;&#0;</b>]]>',
  `sha256:${'f'.repeat(64)}`,
  'AKIAIOSFODNN7EXAMPLE',
] as const;
const longText = 'word /:[(. '.repeat(100_000);
const oddNumbers = [
  0,
  -1,
  -0,
  1.5,
  0.1 + 0.2,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 32 + 1,
  Number.MAX_SAFE_INTEGER,
  2 ** 63,
  5e-324,
];
const pollution: unknown = JSON.parse('{"__proto__":{"level":"error"},"constructor":null,"toString":1}');
const oddValues = [null, true, false, [], [[]], [null], {}, { __proto__x: 1 }, pollution, [{}], 'x', 0];
const oddNames = ['__proto__', 'constructor', 'toString', '', 'level', 'id', 'version', 'results', '\u0000'];

/** Every value below the root. */
function placesOf(root: unknown): Place[] {
  const places: Place[] = [];
  const rest: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    const holder = next.value as Record<string, unknown>;
    for (const key of Object.keys(holder)) {
      places.push({ holder, key, depth: next.depth });
      rest.push({ value: holder[key], depth: next.depth + 1 });
    }
  }
  return places;
}

/** Formats are recognised by fields at the top, so these stay unchanged in most reports. */
function pickPlace(root: unknown, random: Random): Place | undefined {
  const places = placesOf(root);
  if (places.length === 0) return undefined;
  const top = random.chance(0.03) ? -1 : 1;
  for (let attempt = 0; attempt < 20; attempt++) {
    const place = random.pick(places);
    if (place.depth > top) return place;
  }
  return undefined;
}

/** Sets an own property, also for the name `__proto__`, as JSON.parse does. */
function set(holder: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

function copyOf<T>(value: T): T {
  return value === undefined ? value : JSON.parse(JSON.stringify(value));
}

function drop({ holder, key }: Place): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

const apply: Record<Change, (place: Place, random: Random, root: unknown, donor: () => unknown) => void> = {
  drop,
  swap: ({ holder, key }, random, root) => {
    const other = pickPlace(root, random);
    if (!other) return;
    const [mine, theirs] = [copyOf(holder[key]), copyOf(other.holder[other.key])];
    set(other.holder, other.key, mine);
    set(holder, key, theirs);
  },
  repeat: ({ holder, key }, random) => {
    const times = random.chance(0.02) ? 2_000 : 1 + random.below(4);
    if (Array.isArray(holder)) {
      const item = holder[Number(key)];
      holder.splice(
        Number(key),
        0,
        ...Array.from({ length: sizeOf(item) > 2_000 ? 2 : times }, () => copyOf(item)),
      );
    } else set(holder, `${key}${random.below(3)}`, copyOf(holder[key]));
  },
  retype: ({ holder, key }, random) => {
    const value = holder[key];
    const others = [
      JSON.stringify(value),
      [value],
      { value },
      typeof value === 'string' ? Number(value) || 7 : null,
      ...oddValues,
    ];
    set(holder, key, copyOf(random.pick(others)));
  },
  nest: ({ holder, key }, random) => {
    let value = holder[key];
    const depth = random.chance(0.1) ? 300 : 1 + random.below(12);
    for (let i = 0; i < depth; i++) value = random.chance(0.5) ? [value] : { [key]: value };
    set(holder, key, value);
  },
  cut: ({ holder, key }, random) => {
    const value = holder[key];
    if (typeof value === 'string' || Array.isArray(value)) {
      set(holder, key, value.slice(0, random.below(value.length + 1)));
    } else if (typeof value === 'object' && value !== null) {
      for (const name of Object.keys(value).slice(random.below(4) + 1)) Reflect.deleteProperty(value, name);
    }
  },
  graft: ({ holder, key }, random, _root, donor) => {
    const other = pickPlace(donor(), random);
    if (other) set(holder, key, copyOf(other.holder[other.key]));
  },
  text: ({ holder, key }, random) => {
    const text = random.chance(0.004) ? longText : random.pick(oddTexts);
    const value = holder[key];
    const joined = typeof value === 'string' && random.chance(0.4);
    set(holder, key, joined ? (random.chance(0.5) ? value + text : text + value) : text);
  },
  number: ({ holder, key }, random) => {
    const number = random.pick(oddNumbers);
    set(holder, key, random.chance(0.25) ? String(number) : number);
  },
  name: ({ holder, key }, random) => {
    if (Array.isArray(holder)) return;
    const value = holder[key];
    delete holder[key];
    set(holder, random.pick([...oddNames, key.toUpperCase(), `${key}s`]), value);
  },
};

function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

/** Changes the tree in place. A part of the donor may be inserted. Returns the names of the changes in their order. */
export function mutate(root: unknown, donor: () => unknown, random: Random): Change[] {
  const done: Change[] = [];
  for (let count = 1 + random.below(4); count > 0; count--) {
    const place = pickPlace(root, random);
    const change = random.pick(changes);
    if (!place) break;
    apply[change](place, random, root, donor);
    done.push(change);
  }
  return done;
}

const oddSigns = [
  ...['"', '{', ']', '<', '>', '&x;', '\u0000', '\n', ',', '1e999', '<![CDATA[', '\\ud800'],
  ...['\\u0000', '\ufeff'],
];
const digits = '9'.repeat(1_000);
const longNumbers = [digits, `-${digits}`, '1e999', '-0.0', '1'.padEnd(400, '0')];

/** Changes the text of a report, after which it can rarely be parsed. */
export function spoil(text: string, random: Random): string {
  const at = random.below(text.length);
  const end = at + random.below(40);
  const [before, after] = [text.slice(0, at), text.slice(at)];
  switch (random.below(11)) {
    case 0:
      return before;
    case 1:
      return after;
    case 2:
      return before + text.slice(end);
    case 3:
      return text.slice(0, end) + after;
    case 4:
      return before + text.slice(at, at + 40).repeat(3) + text.slice(at + 40);
    case 5:
      return before + random.pick(oddSigns) + after;
    case 6:
      return before + random.pick(oddSigns) + text.slice(at + 1);
    // The other cases change every number, text or name, so that much of the report can still be parsed.
    case 7:
      return text.replace(/\b[0-9]+\b/g, random.pick(longNumbers));
    case 8:
      return text.replaceAll(/": ?"/g, '": "\\u0000\\ud800');
    case 9:
      return text.replaceAll(/"[A-Za-z]+":/g, '"__proto__":');
    default:
      return text.replaceAll(/<([A-Za-z]+)>/g, '<$1 __proto__="x" constructor="y">');
  }
}

/** Returns a smaller tree for which `fails` still holds. Each part is removed as long as it does. */
export function minimise(tree: unknown, fails: (tree: unknown) => boolean): unknown {
  let best = copyOf(tree);
  let next = 0;
  for (;;) {
    const candidate = copyOf(best);
    const place = placesOf(candidate)[next];
    if (place === undefined) return best;
    drop(place);
    if (fails(candidate)) best = candidate;
    else next++;
  }
}
