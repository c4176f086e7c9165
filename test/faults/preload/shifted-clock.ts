import { readFileSync } from 'node:fs'

/**
 * Loaded into a service before its own code (`node --import`): its clock is off by CLOCK_SHIFT_MS, and goes forward with
 * that of its world, whose file CLOCK_FILE says by how many milliseconds time has passed faster there.
 */
const fixedMs = Number(process.env.CLOCK_SHIFT_MS ?? 0)
const file = process.env.CLOCK_FILE
const LOOK_MS = 100
const RealDate = Date

let passedMs = 0
let lookedAt = Number.NEGATIVE_INFINITY
const nowMs = () => {
  if (file !== undefined && performance.now() - lookedAt > LOOK_MS) {
    lookedAt = performance.now()
    passedMs = Number(readFileSync(file, 'utf8'))
  }
  return RealDate.now() + fixedMs + passedMs
}

globalThis.Date = class extends RealDate {
  constructor(...parts: unknown[]) {
    if (parts.length === 0) super(nowMs())
    else super(...(parts as [number]))
  }

  static override now(): number {
    return nowMs()
  }
} as DateConstructor
