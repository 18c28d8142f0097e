/// The place in a list after which its next part begins: what the last element is sorted by.
///
/// A cursor names a place and not a number of elements, so that elements that come or go meanwhile
/// neither repeat others nor leave them out.
struct PageCursor: Hashable, Comparable, Sendable {
  /// What is compared first, and where that is the same.
  let first: Int
  let second: Int
  /// The database row, which makes every place one of its own.
  let row: Int

  static func < (left: PageCursor, right: PageCursor) -> Bool {
    (left.first, left.second, left.row) < (right.first, right.second, right.row)
  }

  init(_ first: Int, _ second: Int = 0, row: Int) {
    self.first = first
    self.second = second
    self.row = row
  }

  /// - Parameter list: What the list is and how it is sorted; a cursor is good for one only.
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
