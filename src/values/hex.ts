/** 20 bytes. */
export const ADDRESS = /^0x[0-9a-fA-F]{40}$/
/** 32 bytes: a hash, a nonce, the id of a channel, a private key. */
export const WORD = /^0x[0-9a-fA-F]{64}$/
/** 65 bytes: the signature of an account that is not a contract. */
export const SIGNATURE = /^0x[0-9a-fA-F]{130}$/
/** One byte or more. */
export const BYTES = /^0x(?:[0-9a-fA-F]{2})+$/
