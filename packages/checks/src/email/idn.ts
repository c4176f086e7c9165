/** Labels of internationalised domains that a program may write in their ASCII form. */

/**
 * Letters that IDNA 2008 allows in a domain, by their properties and its exceptions: however they look, they are meant.
 */
const IDNA =
  /^(?:\p{ASCII}|[[\p{L}\p{M}\p{Nd}]--\p{Changes_When_NFKC_Casefolded}]|[\u00df\u03c2\u0f0b\u3007\u0375\u05f3\u05f4\u30fb]|(?<=l)\u00b7(?=l))*$/v
/** UTF-8 read as a code page of one byte: its first byte is one of these letters, and no ASCII follows. */
const MOJIBAKE = /[\u00c2-\u00c5\u0102\u0139]\P{ASCII}/iu

const LATIN = /\p{sc=Latin}/u
/** Letters that no language writes in one word with Latin ones; Chinese, Japanese and Korean names may have those. */
const NOT_WITH_LATIN =
  /[\p{L}--[\p{sc=Latin}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\p{sc=Hangul}\p{sc=Common}\p{sc=Inherited}]]/v
const CYRILLIC_AND_GREEK = /\p{sc=Cyrillic}.*\p{sc=Greek}|\p{sc=Greek}.*\p{sc=Cyrillic}/u

/** Whether the label at `index` can be meant as it is written: letters of one script, and none that a wrong encoding made. */
export function isWrittenLabel(value: string, index: number): boolean {
  const start = Math.max(value.lastIndexOf('@', index), value.lastIndexOf('.', index)) + 1
  const [label = ''] = /^[^@.\s]*/.exec(value.slice(start).toLowerCase())!
  return IDNA.test(label) && !MOJIBAKE.test(label) && isOfOneScript(label)
}

function isOfOneScript(label: string): boolean {
  return !(LATIN.test(label) && NOT_WITH_LATIN.test(label)) && !CYRILLIC_AND_GREEK.test(label)
}
