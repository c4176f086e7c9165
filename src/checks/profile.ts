/**
 * A check as data: what it may answer, and what is published of it. Schemas, pages, lists of codes and the forms that texts
 * and lists look for are made from it.
 */
import type { RETIRED_HINTS } from './advice/retired-hints.ts'
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

/** Codes with what they mean, in English. */
export type Words = Readonly<Record<string, string>>

/** A part of JSON Schema; `title` is the name for people, `properties` are all required. */
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
  | { readonly properties: Readonly<Record<string, Schema>> }
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
          ? { readonly [K in keyof O]: TypeOf<O[K]> }
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
  /** How many letters and digits it may have; none for text. */
  readonly sizes: readonly number[]
  /** Those of the values that begin like this one, if its beginning decides. */
  readonly sizesOf?: (compact: string) => readonly number[]
  /** Whether a compact value, or a text as it is written, may be one; without it the kind decides. */
  readonly fits?: (written: string) => boolean
  /** Every value begins with the letters of a country: these alone, and the beginning of a value. */
  readonly country?: { readonly alone: RegExp; readonly start: RegExp }
  /** Letters that a value may have in front of its own characters. */
  readonly prefix?: string
  /** No other value has this shape, so a text need not name the check. */
  readonly isTelling?: boolean
  /** The most characters of a group that may be letters alone. */
  readonly group?: number
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

/** The words of a hint, and how a program follows it; a hint of words alone is for a person. */
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
  readonly outline: Outline
  /** The form of `normalized`, as a pattern and in words; nothing is shown of a value that is hidden, not even in a quote. */
  readonly mask: { readonly pattern: string; readonly words: string; readonly isHidden?: true }
  /** What no verdict says, e.g. "account existence". */
  readonly notChecked: readonly string[]
  readonly normalization: readonly NormalizationStep[]
  /** Every `details.code` with its meaning. */
  readonly codes: { readonly ok: string } & Words
  /** One sentence per code; null if each failure has one of its own, with numbers or places in it. */
  readonly reasons: { readonly ok: string } & Readonly<Record<string, string | null>>
  /** Layers of the codes that fail later than the format. */
  readonly failedLayers: Readonly<Record<string, Layers>>
  /** Layers of every other failure. */
  readonly formatFailed: Layers
  /** Every `details.hint`. */
  readonly hints: Readonly<Record<string, Hint>>
  readonly warnings: Words
  /** Every further member of `details`. */
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

/** Keeps the names of codes, hints and facts in the type, holds the smaller tables to them, and refuses retired hints. */
export const defineProfile = <const P extends Profile>(
  profile: P & {
    readonly reasons: KeysAmong<P['reasons'], CodeOf<P>> & Readonly<Record<CodeOf<P>, string | null>>
    readonly failedLayers: KeysAmong<P['failedLayers'], CodeOf<P>>
    readonly hints: {
      readonly [H in keyof P['hints']]: H extends keyof typeof RETIRED_HINTS ? never : unknown
    }
  },
): P => profile

type KeysAmong<T, K> = { readonly [C in keyof T]: C extends K ? T[C] : never }

export function layers(format: LayerState, checksum: LayerState, nationalCheck: LayerState): Layers {
  return Object.freeze({ format, checksum, nationalCheck, registry: 'not_checked' })
}
