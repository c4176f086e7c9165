/**
 * A check as data: what it may answer, and what is published of it. Schemas, pages, lists of codes and the forms that texts
 * and lists look for are made from it.
 */
import type { Labels } from './text/label-prefix.ts'

export type LayerState = 'passed' | 'failed' | 'not_checked' | 'not_applicable'

export interface Layers {
  readonly format: LayerState
  readonly checksum: LayerState
  readonly nationalCheck: LayerState
  readonly registry: 'not_checked'
}

export type NormalizationStep =
  | 'trimmed'
  | 'separators_removed'
  | 'uppercased'
  | 'prefix_removed'
  | 'domain_lowercased'

export type Words = Readonly<Record<string, string>>

/** A part of JSON Schema; `title` is the name for people, `properties` are required unless they are `optional`. */
export type Schema = {
  readonly title?: string
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly pattern?: string
} & (
  | { readonly type: 'string' | 'integer' | 'boolean' }
  | { readonly enum: readonly string[] }
  | { readonly anyOf: readonly Schema[] }
  | { readonly items: Schema }
  | { readonly properties: Readonly<Record<string, Schema>>; readonly optional?: readonly string[] }
)

/** The value that a schema describes; that of no schema in particular is unknown. */
export type TypeOf<S> = Schema extends S
  ? unknown
  : S extends { readonly enum: readonly (infer V)[] }
    ? V
    : S extends { readonly anyOf: readonly (infer A)[] }
      ? TypeOf<A>
      : S extends { readonly items: infer I }
        ? readonly TypeOf<I>[]
        : S extends { readonly properties: infer O }
          ? S extends { readonly optional: readonly (infer N)[] }
            ? { readonly [K in Exclude<keyof O, N>]: TypeOf<O[K]> } & {
                readonly [K in Extract<keyof O, N>]?: TypeOf<O[K]>
              }
            : { readonly [K in keyof O]: TypeOf<O[K]> }
          : S extends { readonly type: infer T extends keyof Primitives }
            ? Primitives[T]
            : never

interface Primitives {
  readonly string: string
  readonly integer: number
  readonly boolean: boolean
}

/** What shows a value in a text or a list without its check, so that a free answer does not tell whether it is valid. */
export interface Outline {
  /** `text` is no number: it has no groups and no separators. */
  readonly kind: 'digits' | 'letters and digits' | 'text'
  /** None for text. */
  readonly sizes: readonly number[]
  /** Those of the values that begin like this one, if its beginning decides. */
  readonly sizesOf?: (compact: string) => readonly number[]
  /** Whether a compact number, or a text as it is written, looks like one; without it any does. */
  readonly fits?: (written: string) => boolean
  readonly prefix?: string
  /** No other value has this shape, so a text need not name the check. */
  readonly isTelling?: boolean
  /** Letters and digits of the shortest cells that a column of values may have, cut-off ones too; 6 if absent. */
  readonly shortest?: number
}

/** How a program follows a hint by itself: at the position, or by a replacement in the whole value. */
export type Mend =
  | 'remove'
  | 'cut_behind'
  | 'put_dot'
  | 'put_lookalike'
  | 'put_ascii_digit'
  | 'put_zeros'
  | 'put_digits'
  | 'cut_label'
  | readonly [pattern: string, replacement: string]

/** A hint of words alone is for a person. */
export type Hint = string | { readonly words: string; readonly mend: Mend }

export interface Profile {
  /** Also the skill id and the last path segment of the REST endpoint. */
  readonly type: string
  /** A new name whenever a rule changes a result. */
  readonly ruleset: string
  /** Other names a client may use; compared without case. */
  readonly aliases: readonly string[]
  /** Names that the check accepts in front of a value: "IBAN: DE89…". */
  readonly labels: Labels
  /** Names of other numbers that the value is or contains, as `text/other-labels.ts` calls their kinds. */
  readonly kinds?: readonly string[]
  /** What may touch the end of a number: a currency behind an account, the country behind a NIP. */
  readonly ending?: RegExp
  readonly outline: Outline
  /** The form of `normalized`, as a pattern and in words; nothing is shown of a value that is hidden, not even in a quote. */
  readonly mask: { readonly pattern: string; readonly words: string; readonly isHidden?: true }
  readonly notChecked: readonly string[]
  readonly normalization: readonly NormalizationStep[]
  readonly codes: { readonly ok: string } & Words
  /** One sentence per code; null if each failure has one of its own, with numbers or places in it. */
  readonly reasons: { readonly ok: string } & Readonly<Record<string, string | null>>
  readonly failedLayers: Readonly<Record<string, Layers>>
  readonly formatFailed: Layers
  readonly hints: Readonly<Record<string, Hint>>
  readonly warnings: Words
  readonly facts: Readonly<Record<string, Schema>>
}

export type CodeOf<P extends Profile> = keyof P['codes'] & string
export type HintOf<P extends Profile> = keyof P['hints'] & string
export type WarningOf<P extends Profile> = keyof P['warnings'] & string
export type FactsOf<P extends Profile> = {
  readonly [F in keyof P['facts']]?: TypeOf<P['facts'][F]>
}

/** Whether a check judges text, such as an address, and not a number. */
export const isText = ({ outline }: Pick<Profile, 'outline'>): boolean => outline.kind === 'text'

/** Keeps the names of codes, hints and facts in the type, and holds the smaller tables to them. */
export const defineProfile = <const P extends Profile>(
  profile: P & {
    readonly reasons: KeysAmong<P['reasons'], CodeOf<P>> & Readonly<Record<CodeOf<P>, string | null>>
    readonly failedLayers: KeysAmong<P['failedLayers'], CodeOf<P>>
  },
): P => profile

type KeysAmong<T, K> = { readonly [C in keyof T]: C extends K ? T[C] : never }

export function layers(format: LayerState, checksum: LayerState, nationalCheck: LayerState): Layers {
  return Object.freeze({ format, checksum, nationalCheck, registry: 'not_checked' })
}
