/// A part of a list.
public struct Page<Item: Sendable>: Sendable, RandomAccessCollection {
  public var items: [Item]
  /// With what the list goes on after this part; `nil` at its end.
  public var next: String?
  /// How many the list has in all.
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
