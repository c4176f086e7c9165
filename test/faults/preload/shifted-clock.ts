/** Loaded into a service before its own code (`node --import`): its clock is off by CLOCK_SHIFT_MS. */
const shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? 0)
const RealDate = Date

globalThis.Date = class extends RealDate {
  constructor(...parts: unknown[]) {
    if (parts.length === 0) super(RealDate.now() + shiftMs)
    else super(...(parts as [number]))
  }

  static override now(): number {
    return RealDate.now() + shiftMs
  }
} as DateConstructor
