internal import HTTP
internal import ServerCore

/// The list of groups that a browser showed last, so that other pages lead back to it. A cookie keeps it.
struct LastList {
  private static let cookie = SessionCookie(plainName: "mayday-list")
  /// Longer addresses are not kept.
  private static let longest = 1_500
  private static let lifetime = 30 * 86_400

  /// `/?q=is%3Anew`; `/` without a search.
  let address: String

  init(_ filter: GroupListFilter) { address = filter.address { _ in } }

  /// Reads it from a request, as the address of a list and of nothing else.
  init(_ head: RequestHead) {
    let text = Self.cookie.text(in: head) ?? ""
    address =
      text.utf8.count > Self.longest
      ? "/" : GroupListFilter(QueryItems(form: text)).address { _ in }
  }

  func keep(in response: inout Response, for head: RequestHead) {
    let query = String(address.dropFirst(2))
    let text = query.isEmpty || query.utf8.count > Self.longest ? nil : query
    guard text != Self.cookie.text(in: head) else { return }
    response.headers.add("Set-Cookie", Self.cookie.field(text, lifetime: Self.lifetime, for: head))
  }
}
