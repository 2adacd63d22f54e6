// The path of a request target, without its query. What is not in origin form is left as it is: it matches no path.

export function pathOf(url: string): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

/** Whether the path of a request target is exactly one of these. Called for every request: it allocates nothing. */
export function isPathAmong(paths: readonly string[], url: string): boolean {
  for (const path of paths) {
    const { length } = path
    if (url.length >= length && url.startsWith(path) && (url.length === length || url[length] === '?')) return true
  }
  return false
}
