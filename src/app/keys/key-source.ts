export function keySource<Given, Key>(
  given: Given | null | undefined,
  dataDir: string | null,
  read: (given: Given) => Key,
  kept: (dataDir: string) => Key,
): Key {
  if (given !== null && given !== undefined) return read(given)
  if (dataDir === null) throw new Error('without a directory for generated keys every key must be configured')
  return kept(dataDir)
}
