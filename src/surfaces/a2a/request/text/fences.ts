/** The lines that fence a block of code in Markdown; models put values and data parts between them. */
const FENCE = /^ {0,3}(?:```+|~~~+)[\w+-]*[ \t]*\r?$/gm

export const withoutFences = (text: string): string => text.replace(FENCE, '')
