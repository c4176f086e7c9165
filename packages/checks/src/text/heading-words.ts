/** Headings of columns as words, in any script. */

/** Lower case without accents; an umlaut is as good as its two letters, and "ł" is no accented "l" to Unicode. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .replace(/([aou])e/g, '$1')

/** Words between changes of case, punctuation and digits. */
export const wordsOf = (heading: string): readonly string[] =>
  folded(heading.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2'))
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')

/** The form in which headings are compared: "E-mail address" is "emailaddress". */
export const joinedWords = (text: string): string => wordsOf(text).join('')
