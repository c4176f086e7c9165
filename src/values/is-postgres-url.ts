/**
 * A "/", "?" or "#" that is not percent-encoded ends the password early, and its rest would be read, and shown, as
 * host, port or database.
 */
export const isPostgresUrl = (text: string): boolean =>
  /^postgres(ql)?:\/\/([^/?#]*@)?[^@#]*$/.test(text) && URL.canParse(text)
