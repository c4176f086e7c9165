export type NonEmpty<T> = readonly [T, ...T[]]

export const mapAll = <T, U>([first, ...rest]: NonEmpty<T>, to: (each: T) => U): NonEmpty<U> => [
  to(first),
  ...rest.map(to),
]
