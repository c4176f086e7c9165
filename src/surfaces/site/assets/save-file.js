/**
 * Saves a text that was made here as a file; nothing is sent.
 *
 * @param {string} name
 * @param {string} type media type
 * @param {string} text
 */
export function saveFile(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken the bytes by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 0)
}
