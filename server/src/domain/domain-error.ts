/**
 * A request of the operator, or of a person in a session, that is not carried out: its input is `invalid`, something is
 * `missing`, or it is in `conflict` with existing data. The message tells that person what is wrong and where.
 */
export class DomainError extends Error {
  readonly kind: 'invalid' | 'missing' | 'conflict';
  /** The option or field with the mistake; null if no field is wrong. */
  readonly field: string | null;

  constructor(kind: DomainError['kind'], message: string, field: string | null = null) {
    super(message);
    this.name = 'DomainError';
    this.kind = kind;
    this.field = field;
  }
}
