/** The first and last line of a code block in Markdown, into which models put values and data parts. */
const FENCE = /^ {0,3}(?:```+|~~~+)[\w+-]*[ \t]*\r?$/gm

export const withoutFences = (text: string): string => text.replace(FENCE, '')
