/// The position in a list after which its next page begins: the sort values of the last element.
///
/// A cursor names a position and not a number of elements, so that elements added or removed
/// meanwhile neither repeat others nor leave them out.
struct PageCursor: Hashable, Comparable, Sendable {
  /// The first and second sort values.
  let first: Int
  let second: Int
  /// The database row, which makes every position unique.
  let row: Int

  static func < (left: PageCursor, right: PageCursor) -> Bool {
    (left.first, left.second, left.row) < (right.first, right.second, right.row)
  }

  init(_ first: Int, _ second: Int = 0, row: Int) {
    self.first = first
    self.second = second
    self.row = row
  }

  /// - Parameter list: Names the list and its order; a cursor is valid for one list only.
  /// - Throws: ``StoreError/wrongCursor(_:)``.
  init?(_ text: String?, of list: String) throws(StoreError) {
    guard let text else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == list, let first = Int(parts[1]), let second = Int(parts[2]),
      let row = Int(parts[3])
    else { throw .wrongCursor(text) }
    self.init(first, second, row: row)
  }

  func text(of list: String) -> String { "\(list).\(first).\(second).\(row)" }
}
