/// The items of a query string, decoded, in their order.
public struct QueryItems: Sendable, Equatable {
  public struct Item: Sendable, Equatable {
    public let name: String
    /// Empty where the item has no `=`.
    public let value: String
  }

  public var items: [Item] = []

  public init() {}

  /// The fields of a form, as browsers send them (`application/x-www-form-urlencoded`).
  public init(form text: String) {
    for item in text.split(separator: "&") {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { String(decoding: PercentCoding.decode($0, plusIsBlank: true), as: UTF8.self) }
      items.append(Item(name: parts[0], value: parts.count > 1 ? parts[1] : ""))
    }
  }

  public init(_ items: [(name: String, value: String)]) {
    self.items = items.map { Item(name: $0.name, value: $0.value) }
  }

  /// The value of the first item called `name`.
  public subscript(name: String) -> String? { items.first { $0.name == name }?.value }

  /// The value of the first item called `name` when ASCII letters have no case.
  public func value(ignoringCaseOf name: String) -> String? {
    items.first { $0.name.isSame(as: name) }?.value
  }

  /// The values of all items called `name`.
  public func values(of name: String) -> [String] {
    items.filter { $0.name == name }.map(\.value)
  }
}
