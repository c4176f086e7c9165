import { openSync, writeSync } from 'node:fs'
import type { Claim } from '../support/kept-claims.ts'

/** What a program was told is kept: in a SQLite file of this name, as the text of the file, or at least so much in its budget. */
export type Told = { readonly file: string; readonly name: string } & (
  | { readonly claim: Claim }
  | { readonly text: string }
  | { readonly spent: string }
)

/** For a program that is recorded: each line takes its place among the system calls. */
export function teller(path: string): (told: Told) => void {
  const file = openSync(path, 'a')
  return (told) => void writeSync(file, `${JSON.stringify(told)}\n`)
}
