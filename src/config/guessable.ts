/** Words of examples and defaults; tokens that hold one are tried first. */
const WORDS =
  /password|passwort|passw0rd|changeme|change-me|letmein|qwerty|iloveyou|secret|example|placeholder|replace|insert|your[-_]/i
const LEAST_DIFFERENT = 8

/** True for a token that is short of different characters, mostly a sequence, or holds the word of an example. */
export function isGuessable(token: string): boolean {
  const codes = Array.from(token, (character) => character.charCodeAt(0))
  const steps = codes.slice(1).filter((code, index) => Math.abs(code - (codes[index] ?? 0)) <= 1)
  return new Set(codes).size < LEAST_DIFFERENT || steps.length > codes.length / 2 || WORDS.test(token)
}
