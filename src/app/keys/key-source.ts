/** The given key, or the one in the directory; throws if neither is configured. */
export function keySource<Key>(
  given: Key | null | undefined,
  dataDir: string | null,
  kept: (dataDir: string) => Key,
): Key {
  if (given !== null && given !== undefined) return given
  if (dataDir === null) throw new Error('without a directory for generated keys every key must be configured')
  return kept(dataDir)
}
