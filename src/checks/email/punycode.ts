/** Punycode, RFC 3492: names with letters outside ASCII written in ASCII. Parameters by section 5. */

const BASE = 36
const T_MIN = 1
const T_MAX = 26
const SKEW = 38
const DAMP = 700
const INITIAL_BIAS = 72
const INITIAL_POINT = 0x80
const MAX_POINT = 0x10ffff
const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** The name behind the part after "xn--", lower case; undefined when it encodes none. */
export function decodePunycode(encoded: string): string | undefined {
  const delimiter = encoded.lastIndexOf('-')
  const points = Array.from(encoded.slice(0, Math.max(delimiter, 0)), (sign) => sign.codePointAt(0)!)
  let point = INITIAL_POINT
  let bias = INITIAL_BIAS
  let place = 0
  let next = delimiter + 1
  while (next < encoded.length) {
    const before = place
    let weight = 1
    for (let k = BASE; ; k += BASE) {
      const digit = DIGITS.indexOf(encoded.charAt(next++))
      if (digit < 0 || next > encoded.length) return undefined
      place += digit * weight
      const threshold = thresholdOf(k, bias)
      if (digit < threshold) break
      weight *= BASE - threshold
    }
    const count = points.length + 1
    bias = adapt(place - before, count, before === 0)
    point += Math.floor(place / count)
    place %= count
    if (point > MAX_POINT) return undefined
    points.splice(place++, 0, point)
  }
  return String.fromCodePoint(...points)
}

/** The part after "xn--" for a name. */
export function encodePunycode(name: string): string {
  const points = Array.from(name, (sign) => sign.codePointAt(0)!)
  const basic = points.filter((point) => point < INITIAL_POINT)
  let output = basic.length > 0 ? `${String.fromCodePoint(...basic)}-` : ''
  let point = INITIAL_POINT
  let delta = 0
  let bias = INITIAL_BIAS
  let handled = basic.length
  while (handled < points.length) {
    const next = Math.min(...points.filter((each) => each >= point))
    delta += (next - point) * (handled + 1)
    point = next
    for (const each of points) {
      if (each < point) delta++
      if (each !== point) continue
      output += variableLength(delta, bias)
      bias = adapt(delta, handled + 1, handled === basic.length)
      delta = 0
      handled++
    }
    delta++
    point++
  }
  return output
}

function variableLength(delta: number, bias: number): string {
  let output = ''
  let rest = delta
  for (let k = BASE; ; k += BASE) {
    const threshold = thresholdOf(k, bias)
    if (rest < threshold) return output + DIGITS.charAt(rest)
    output += DIGITS.charAt(threshold + ((rest - threshold) % (BASE - threshold)))
    rest = Math.floor((rest - threshold) / (BASE - threshold))
  }
}

function thresholdOf(k: number, bias: number): number {
  return Math.min(Math.max(k - bias, T_MIN), T_MAX)
}

function adapt(delta: number, count: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2))
  rest += Math.floor(rest / count)
  let k = 0
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN))
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}
