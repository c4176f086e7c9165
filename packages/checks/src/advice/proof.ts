/** What shows that a part of a value is what was meant: a hint may offer to cut it out for one of these reasons alone. */

/** Code points of a value; the end is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

export type Proof =
  /** The check digits fit the part, and nothing around it names another number. */
  | 'check digits'
  /** The name of the field, or the scheme of a link, stands in front. */
  | 'own label'
  /** The same signs stand on both sides. */
  | 'closed around'
  /** Blanks, invisible signs and punctuation that cannot belong to the part divide it from the rest. */
  | 'divided'

/** A part of a value, in code points, that can be sent in its place. */
export interface ProvedSpan extends Span {
  readonly proof: Proof
}
