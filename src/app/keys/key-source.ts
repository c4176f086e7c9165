/** Throws if there is neither a given key nor a directory. */
export function keySource<Key>(
  given: Key | null | undefined,
  dataDir: string | null,
  kept: (dataDir: string) => Key,
): Key {
  if (given !== null && given !== undefined) return given
  if (dataDir === null) throw new Error('without a directory for generated keys every key must be configured')
  return kept(dataDir)
}
