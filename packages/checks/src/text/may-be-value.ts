/** Words for nothing, such as "n/a" or "brak", lack what every value of a type has. */

export const mayBeNumber = (text: string): boolean => /\p{N}/u.test(text)

/** An at sign, or a full stop inside, unlike "Adr. e-mail" and "n.v.t.". */
export const mayBeAddress = (text: string): boolean => /@|[\p{L}\p{N}]\.[\p{L}\p{N}]{2}/u.test(text)
