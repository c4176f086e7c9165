import { readdirSync, readFileSync } from 'node:fs'
import type { Holder } from '../../src/eu-vat/member-state.ts'

/** One published number, or one made wrong on purpose, and what its state's own rule says of it. */
export interface Vector {
  readonly value: string
  readonly national: 'passed' | 'failed'
  /** Whose number it is by the state's own rule; ten or more of each kind in a state that has one. */
  readonly holder?: Holder
  readonly source: string
}

const FOLDER = new URL('../../../../test/vectors/eu-vat/', import.meta.url)

/** All vectors by VAT prefix. */
export function readVectors(): ReadonlyMap<string, readonly Vector[]> {
  const entries = readdirSync(FOLDER).map((name): [string, Vector[]] => [
    name.slice(0, 2).toUpperCase(),
    JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')),
  ])
  return new Map(entries)
}

const CLASSES: Readonly<Record<string, string>> = { 9: '[0-9]', L: '[A-Z]', X: '[A-Z0-9]', S: '[A-Z0-9+*]' }

/** True when the national part has the shape of the format. */
export function hasFormat(national: string, format: string): boolean {
  const pattern = [...format].map((symbol) => CLASSES[symbol] ?? symbol).join('')
  return new RegExp(`^${pattern}$`).test(national)
}
