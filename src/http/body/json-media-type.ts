/** One parameter of a media type, RFC 9110, 5.6.6: a token or a quoted string after "=". */
const PARAMETER = /^[ \t]*([!#$%&'*+.^_`|~0-9a-z-]+)=("[^"\\]*"|[!#$%&'*+.^_`|~0-9a-z-]+)[ \t]*$/

/**
 * True for `application/json`, in any case, with any parameters; a charset may only be UTF-8, since JSON has no
 * other on the wire (RFC 8259, 8.1).
 */
export function isJsonMediaType(header: string | undefined): boolean {
  if (header === undefined) return false
  const [type, ...parameters] = header.toLowerCase().split(';')
  if (type?.trim() !== 'application/json') return false
  return parameters.every((parameter) => {
    if (parameter.trim() === '') return true
    const [, name, value] = PARAMETER.exec(parameter) ?? []
    if (name === undefined) return false
    return name !== 'charset' || /^"?utf-?8"?$/.test(value ?? '')
  })
}
