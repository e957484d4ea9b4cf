/**
 * Shapes of answers as data, and the check of a value against one: exactly these fields, of these types. A checker also
 * remembers which nullable fields it has seen null and not null, so that a test can require both.
 */
export type Shape =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'timestamp'
  | { id: string }
  | { oneOf: readonly string[] }
  | { nullable: Shape }
  | { list: Shape }
  | { map: Shape }
  | { fields: Record<string, Shape> }
  /** Any of these fields, but no other. */
  | { some: Record<string, Shape> }
  /** The shape of the fields next to the value's `type`. With `orNone`, an empty list is also valid. */
  | { variants: Record<string, Shape>; orNone: boolean }
  | 'object'
  | 'anything';

export const id = (prefix: string): Shape => ({ id: prefix });
export const oneOf = (...values: string[]): Shape => ({ oneOf: values });
export const nullable = (shape: Shape): Shape => ({ nullable: shape });
export const list = (shape: Shape): Shape => ({ list: shape });
export const map = (shape: Shape): Shape => ({ map: shape });
export const fields = (shapes: Record<string, Shape>): Shape => ({ fields: shapes });
export const some = (shapes: Record<string, Shape>): Shape => ({ some: shapes });
export const variants = (shapes: Record<string, Shape>, orNone = false): Shape => ({
  variants: shapes,
  orNone,
});

const timestampPattern =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

export class ShapeChecker {
  readonly seenNull = new Set<string>();
  readonly seenValue = new Set<string>();
  readonly seenValues = new Map<string, Set<string>>();

  /** Returns the problems of the value, each with its path; none if the value fits. */
  problems(shape: Shape, value: unknown, at = ''): string[] {
    if (shape === 'anything') return [];
    if (typeof shape === 'string') return isOf(shape, value) ? [] : [`${at}: no ${shape}: ${show(value)}`];
    if ('nullable' in shape) {
      (value === null ? this.seenNull : this.seenValue).add(at);
      return value === null ? [] : this.problems(shape.nullable, value, at);
    }
    if ('id' in shape) {
      const pattern = new RegExp(`^${shape.id}_[0-9a-hjkmnp-tv-z]{26}$`);
      return typeof value === 'string' && pattern.test(value)
        ? []
        : [`${at}: no ${shape.id}_…: ${show(value)}`];
    }
    if ('oneOf' in shape) {
      if (typeof value !== 'string' || !shape.oneOf.includes(value)) {
        return [`${at}: none of ${shape.oneOf.join(', ')}: ${show(value)}`];
      }
      this.#see(at, value);
      return [];
    }
    if ('list' in shape) {
      if (!Array.isArray(value)) return [`${at}: no list: ${show(value)}`];
      return value.flatMap((item) => this.problems(shape.list, item, `${at}[]`));
    }
    if ('variants' in shape && shape.orNone && Array.isArray(value) && value.length === 0) {
      this.#see(at, 'none');
      return [];
    }
    if (!isObject(value)) return [`${at}: no object: ${show(value)}`];
    if ('map' in shape) {
      return Object.values(value).flatMap((item) => this.problems(shape.map, item, `${at}{}`));
    }
    if ('variants' in shape) {
      const type = 'type' in value && typeof value.type === 'string' ? value.type : '';
      const variant = Object.hasOwn(shape.variants, type) ? shape.variants[type] : undefined;
      if (variant === undefined) return [`${at}: no known type: ${show(value)}`];
      this.#see(at, type);
      const { type: _, ...rest } = value as { type: string };
      return this.problems(variant, rest, `${at}(${type})`);
    }
    if ('some' in shape) return this.#fields(shape.some, value, at);
    const missing = Object.keys(shape.fields).filter((name) => !Object.hasOwn(value, name));
    return [...missing.map((name) => `${at}.${name}: missing`), ...this.#fields(shape.fields, value, at)];
  }

  /** Nullable fields that were always null, or never null. */
  unseen(): { null: string[]; value: string[] } {
    return {
      null: [...this.seenValue].filter((at) => !this.seenNull.has(at)).sort(),
      value: [...this.seenNull].filter((at) => !this.seenValue.has(at)).sort(),
    };
  }

  #see(at: string, value: string): void {
    this.seenValues.set(at, (this.seenValues.get(at) ?? new Set()).add(value));
  }

  #fields(shapes: Record<string, Shape>, value: object, at: string): string[] {
    const excess = Object.keys(value).filter((name) => !Object.hasOwn(shapes, name));
    return [
      ...excess.map((name) => `${at}.${name}: not in the contract`),
      ...Object.entries(value).flatMap(([name, item]) => {
        const shape = shapes[name];
        return shape === undefined ? [] : this.problems(shape, item, `${at}.${name}`);
      }),
    ];
  }
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isSafeInteger(value);
    case 'timestamp':
      return typeof value === 'string' && timestampPattern.test(value) && !Number.isNaN(Date.parse(value));
    default:
      return typeof value === type;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 200);
}
