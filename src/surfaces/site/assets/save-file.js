/**
 * Saves what was made here as a file; nothing is sent.
 *
 * @param {string} name
 * @param {string} type media type
 * @param {...BlobPart} parts
 */
export function saveFile(name, type, ...parts) {
  const url = URL.createObjectURL(new Blob(parts, { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken the bytes by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 0)
}
