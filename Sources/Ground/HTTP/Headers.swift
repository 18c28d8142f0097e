/// Header fields in their order; names compare without regard to case (RFC 9110 5.1).
public struct Headers: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  public struct Field: Sendable, Equatable {
    public let name: String
    public let value: String
  }

  public private(set) var fields: [Field] = []

  public init() {}

  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name, value) }
  }

  /// The value of the first field called `name`; setting replaces all of them.
  public subscript(name: String) -> String? {
    get { fields.first { $0.name.isSame(as: name) }?.value }
    set {
      fields.removeAll { $0.name.isSame(as: name) }
      if let newValue { add(name, newValue) }
    }
  }

  /// The values of all fields called `name`.
  public func values(of name: String) -> [String] {
    fields.filter { $0.name.isSame(as: name) }.map(\.value)
  }

  /// The members of the comma-separated lists called `name`, trimmed, without empty ones
  /// (RFC 9110 5.6.1).
  public func list(_ name: String) -> [String] {
    values(of: name).flatMap { value in
      value.split(separator: ",").map { String($0.trimmingBlanks()) }.filter { !$0.isEmpty }
    }
  }

  public mutating func add(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }
}

extension StringProtocol {
  /// Whether both texts are the same when ASCII letters have no case.
  func isSame(as other: some StringProtocol) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return zip(utf8, other.utf8).allSatisfy { $0.lowercased == $1.lowercased }
  }

  func trimmingBlanks() -> SubSequence {
    guard let first = firstIndex(where: { $0 != " " && $0 != "\t" }),
      let last = lastIndex(where: { $0 != " " && $0 != "\t" })
    else { return self[startIndex..<startIndex] }
    return self[first...last]
  }
}

extension UInt8 {
  var lowercased: UInt8 { self >= 65 && self <= 90 ? self | 32 : self }
}
