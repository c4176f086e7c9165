import { DROPPED } from './normalize.ts'

/**
 * A valid value as it is best kept: what its check judged, by the `normalization` of the verdict. For its owner alone.
 *
 * @param isText - true for an address, which has no separators
 */
export function cleaned(value: string, steps: readonly string[], isText: boolean): string {
  if (isText) {
    const text = value.trim()
    const at = steps.includes('domain_lowercased') ? text.lastIndexOf('@') : text.length
    return text.slice(0, at) + text.slice(at).toLowerCase()
  }
  const compact = value.replace(DROPPED, '').toUpperCase()
  // What may be in front of a number are the letters of a country.
  return steps.includes('prefix_removed') ? compact.replace(/^[A-Z]+/, '') : compact
}
