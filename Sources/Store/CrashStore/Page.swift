/// A page of a list.
public struct Page<Item: Sendable>: Sendable, RandomAccessCollection {
  public var items: [Item]
  /// Cursor of the next page; `nil` at the end of the list.
  public var next: String?
  /// Cursor of the previous page; `nil` at the start of the list, and where lists only go forward.
  public var previous: String?
  /// Number of items in the whole list.
  public var total: Int

  public init(items: [Item] = [], next: String? = nil, total: Int = 0) {
    self.items = items
    self.next = next
    self.total = total
  }

  public var startIndex: Int { items.startIndex }
  public var endIndex: Int { items.endIndex }
  public subscript(position: Int) -> Item { items[position] }
}

extension Page: Equatable where Item: Equatable {}
