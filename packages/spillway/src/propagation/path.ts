// The path of a request target, without its query. What is not in origin form is left as it is: it matches no path.

export function pathOf(url: string | undefined): string {
  if (url === undefined) return ''
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}
