/**
 * A request of the operator, or of a person in a session, that is not carried out: `invalid` input, something that
 * is `missing`, or a `conflict` with what is there. The message is for that person and says what and where.
 */
export class DomainError extends Error {
  readonly kind: 'invalid' | 'missing' | 'conflict';
  /** The option or field that is meant, when it is one. */
  readonly field: string | null;

  constructor(kind: DomainError['kind'], message: string, field: string | null = null) {
    super(message);
    this.name = 'DomainError';
    this.kind = kind;
    this.field = field;
  }
}
