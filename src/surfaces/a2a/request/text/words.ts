import { pairMarks, type Quotation } from './pairs.ts'

export interface Word {
  /** The word without the punctuation around it. */
  readonly text: string
  /** Offsets of `text`, in UTF-16 units. */
  readonly start: number
  readonly end: number
  /** The punctuation before the next word, or BLANK_LINE; '' if only white space separates them. */
  readonly after: string
  readonly quote: Quotation | undefined
}

/** The separator of two paragraphs. */
export const BLANK_LINE = '\n\n'

const SENTENCE_MARKS = new Set('.,;:?!…')
/** A word of these characters and of emojis alone, or of none, is a separator. RGI_Emoji would take 16 ms of every start. */
const SEPARATORS =
  /^(?:[-–—=:>→|•*#+.,;!?…/\p{Extended_Pictographic}]|(?!\d)\p{Emoji_Component}|\d\ufe0f\u20e3)*$/u
/** `label:value`, `label=value`; used only if the label names a type or means "value". */
const LABELLED = /^([\p{L}][\p{L}_.-]*)[:=]/u
/** `check("value")`. */
const CALL = /^([\p{L}][\p{L}_]*)(?=\(.+\)[.,;:?!]*$)/u

/** `isLabel` says whether the beginning of a word, before ":", "=" or "(", is a word of its own. */
export function splitWords(text: string, isLabel: (label: string) => boolean): readonly Word[] {
  const pairs = pairMarks(text)
  const words: Word[] = []
  for (const { start, end, joint } of chunks(text, isLabel)) {
    let [from, to] = [start, end]
    while (pairs.opening.has(from)) from++
    while (to > from && (pairs.closing.has(to - 1) || SENTENCE_MARKS.has(text[to - 1] ?? ''))) to--
    const inner = text.slice(from, to)
    const after = text.slice(to, end) + joint || (isParagraphEnd(text, end) ? BLANK_LINE : '')
    if (SEPARATORS.test(inner)) {
      const last = words.pop()
      if (last !== undefined) words.push({ ...last, after: `${last.after}${text.slice(start, end)}${joint}` })
      continue
    }
    const last = words.at(-1)
    if (last !== undefined)
      words[words.length - 1] = { ...last, after: `${last.after}${text.slice(start, from)}` }
    words.push({ text: inner, start: from, end: to, after, quote: pairs.quoteAt(from) })
  }
  return words
}

const LINE_ENDS = /[ \t]*\r?\n[ \t]*\r?\n/y

function isParagraphEnd(text: string, end: number): boolean {
  LINE_ENDS.lastIndex = end
  return LINE_ENDS.test(text)
}

interface Chunk {
  readonly start: number
  readonly end: number
  /** ":", "=" or "(" if it follows the chunk. */
  readonly joint: string
}

function* chunks(text: string, isLabel: (label: string) => boolean): Generator<Chunk> {
  // Only ASCII white space separates: any other may be part of the value, and the check then refuses it.
  for (const { 0: raw, index } of text.matchAll(/[^ \t\r\n]+/g)) {
    const end = index + raw.length
    const label = (LABELLED.exec(raw) ?? CALL.exec(raw))?.[1]
    if (label === undefined || !isLabel(label)) {
      yield { start: index, end, joint: '' }
      continue
    }
    const cut = index + label.length
    yield { start: index, end: cut, joint: text[cut] ?? '' }
    yield { start: cut + 1, end, joint: '' }
  }
}
