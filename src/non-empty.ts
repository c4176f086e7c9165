export type NonEmpty<T> = readonly [T, ...T[]]

/** As `map`, of a list that has a first element. */
export const mapAll = <T, U>([first, ...rest]: NonEmpty<T>, to: (each: T) => U): NonEmpty<U> => [
  to(first),
  ...rest.map(to),
]
