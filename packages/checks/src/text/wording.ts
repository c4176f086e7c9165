import { digitLike, letterLike } from './lookalikes.ts'

/** "the letter O" for one that is taken for another character, else its kind alone: a result repeats nothing of a value. */
export function characterName(character: string): string {
  const kind = /\d/.test(character) ? 'digit' : /[A-Za-z]/.test(character) ? 'letter' : 'sign'
  return (digitLike(character) ?? letterLike(character)) === undefined
    ? `a ${kind}`
    : `the ${kind} ${character}`
}

/** "1 digit", "2 digits". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
