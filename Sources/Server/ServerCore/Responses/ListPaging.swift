internal import APIDocuments
internal import Bytes
package import CrashStore
internal import Crypto
package import HTTP

/// Pages of lists that a service returns whole or after a number, and the cursors between them.
///
/// A cursor names the last element of a page, so that elements added or removed before it shift nothing. It
/// is valid for one route with the same query. If the named element was deleted, the next page begins at its
/// index.
///
///     CHECK PLACE KEY     as hexadecimal digits; the check covers these and the route with its query
package struct ListPaging {
  private let list: String
  private let limit: Int
  /// The start of the page: after this element, which had this index.
  private let last: (index: Int, key: String)?

  /// The number of hexadecimal digits of the check, enough to detect damage.
  private static let digits = 12

  /// - Throws: `HTTPError` for a cursor that is damaged or from another list.
  package init(_ request: Request) throws {
    let filters = request.query.items.filter { !["limit", "after"].contains($0.name) }
      .map { "\($0.name)=\($0.value)" }.sorted()
    list = ([request.head.pattern] + filters).joined(separator: "\u{0}")
    limit = request.query["limit"].flatMap { Int($0) } ?? APILimits.list.usual
    guard let text = request.query["after"] else {
      last = nil
      return
    }
    let parts = [UInt8](hexadecimal: text).flatMap { String(validating: $0, as: UTF8.self) }?
      .split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard let parts, parts.count == 3, let index = Int(parts[1]), index >= 0,
      parts[0] == Self.check(list, index, String(parts[2]))
    else {
      throw HTTPError.refused(
        .badRequest, "after is not the `next` value of a page of this list; start again without it",
        code: .invalidCursor, parameter: "after")
    }
    last = (index, String(parts[2]))
  }

  /// - Parameters:
  ///   - items: The whole list.
  ///   - key: Returns an element's unique key.
  package func page<Item: Sendable>(of items: [Item], key: (Item) -> String) -> Page<Item> {
    var start = 0
    if let last {
      let found = items.firstIndex { key($0) == last.key }
      start = found.map { $0 + 1 } ?? min(last.index, items.count)
    }
    let part = items[start...].prefix(limit)
    return page(part, total: items.count, isLast: part.endIndex == items.count, key: key)
  }

  // MARK: Lists that a store continues after a number

  /// The number of the previous page's last element.
  package var number: Int? { last.flatMap { Int($0.key) } }

  /// The number of elements that suffice for a page and to know whether more follow.
  package var limitAndOne: Int { limit + 1 }

  /// - Parameter items: ``limitAndOne`` elements after ``number``, or all if there are fewer.
  package func page<Item: Sendable>(
    from items: [Item], total: Int, number: (Item) -> Int
  ) -> Page<Item> {
    page(items.prefix(limit), total: total, isLast: items.count <= limit) { "\(number($0))" }
  }

  private func page<Item: Sendable>(
    _ items: ArraySlice<Item>, total: Int, isLast: Bool, key: (Item) -> String
  ) -> Page<Item> {
    var next: String?
    if !isLast, let last = items.last {
      let (index, key) = (items.endIndex - 1, key(last))
      next = Array("\(Self.check(list, index, key)) \(index) \(key)".utf8).hexadecimalDigits
    }
    return Page(items: Array(items), next: next, total: total)
  }

  private static func check(_ list: String, _ index: Int, _ key: String) -> String {
    let text = [list, "\(index)", key].joined(separator: "\u{0}")
    return String(SHA256.hex(of: ByteView(text.utf8)).prefix(digits))
  }
}
