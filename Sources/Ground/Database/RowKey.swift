internal import Glibc

/// The values of the columns of a key: equal and ordered as in the database, which compares text by its bytes.
///
/// Swift takes "é" as one character and as two for the same text; a table has a row for each.
public struct RowKey: Hashable, Sendable {
  public let values: [SQLValue]

  public init(_ values: SQLValue...) { self.values = values }

  public static func == (left: RowKey, right: RowKey) -> Bool {
    left.values.elementsEqual(right.values) { $0.isSame(as: $1) }
  }

  public func hash(into hasher: inout Hasher) {
    for value in values {
      switch value {
      case .null: hasher.combine(0)
      case .integer(let number): hasher.combine(number)
      case .real(let number): hasher.combine(number)
      case .text(let text): hasher.combine(text)
      case .blob(let bytes): hasher.combine(bytes)
      }
    }
  }
}

extension RowKey: Comparable {
  public static func < (left: RowKey, right: RowKey) -> Bool {
    for (one, other) in zip(left.values, right.values) where !one.isSame(as: other) {
      return one.precedes(other)
    }
    return left.values.count < right.values.count
  }
}

extension SQLValue {
  fileprivate func isSame(as other: SQLValue) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.integer(let one), .integer(let other)): one == other
    case (.real(let one), .real(let other)): one == other
    case (.text(let one), .text(let other)): one.hasSameBytes(as: other)
    case (.blob(let one), .blob(let other)): one == other
    default: false
    }
  }

  /// Whether the value comes before one that is not the same.
  fileprivate func precedes(_ other: SQLValue) -> Bool {
    switch (self, other) {
    case (.integer(let one), .integer(let other)): one < other
    case (.real(let one), .real(let other)): one < other
    case (.integer(let one), .real(let other)): Double(one) < other
    case (.real(let one), .integer(let other)): one < Double(other)
    case (.text(let one), .text(let other)): one.utf8.lexicographicallyPrecedes(other.utf8)
    case (.blob(let one), .blob(let other)): one.lexicographicallyPrecedes(other)
    default: kind < other.kind
    }
  }

  /// NULL comes first, then numbers, texts and bytes.
  private var kind: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }
}

extension String {
  /// Whether a text is the same in the database, which tells apart what is equal here: "é" may be one character
  /// or two.
  public func hasSameBytes(as other: String) -> Bool {
    let isSame = unsafe utf8.withContiguousStorageIfAvailable { own in
      unsafe other.utf8.withContiguousStorageIfAvailable { others in
        guard own.count == others.count else { return false }
        guard let one = own.baseAddress, let other = others.baseAddress else {
          return true
        }
        return unsafe memcmp(one, other, own.count) == 0
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}
