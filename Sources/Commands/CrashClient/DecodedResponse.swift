internal import CrashService
package import Identifiers
package import JSON

/// A value in the response of a server, which may be of another version, or not a Mayday server at all:
/// whatever is missing is an error that names it.
package struct DecodedResponse {
  package let value: JSONValue

  package init(_ value: JSONValue) { self.value = value }

  private func wanted<Value>(_ name: String, _ found: Value?) throws -> Value {
    guard let found else {
      throw ServiceError(
        "the server's response has no valid '\(name)': does it run another version?")
    }
    return found
  }

  private func member<Value>(_ name: String, _ read: (JSONValue) -> Value?) throws -> Value? {
    guard let member = value[name], !member.isNull else { return nil }
    return try wanted(name, read(member))
  }

  package func maybeText(_ name: String) throws -> String? { try member(name, \.string) }
  package func text(_ name: String) throws -> String { try wanted(name, maybeText(name)) }
  package func maybeCount(_ name: String) throws -> Int? { try member(name, \.integer) }
  package func count(_ name: String) throws -> Int { try wanted(name, maybeCount(name)) }
  package func flag(_ name: String) throws -> Bool { try wanted(name, member(name, \.bool)) }

  package func maybeTime(_ name: String) throws -> Timestamp? {
    try member(name) { $0.string.flatMap { Timestamp($0) } }
  }
  package func time(_ name: String) throws -> Timestamp { try wanted(name, maybeTime(name)) }

  /// Returns the midnight of a day.
  package func day(_ name: String) throws -> Timestamp {
    try wanted(name, member(name) { $0.string.flatMap { Timestamp(day: $0) } })
  }

  /// Returns a case of an enumeration by its raw value.
  package func word<Word: RawRepresentable>(
    _ name: String, _ type: Word.Type = Word.self
  ) throws -> Word where Word.RawValue == String {
    try wanted(name, member(name) { $0.string.flatMap { Word(rawValue: $0) } })
  }

  package func part(_ name: String) throws -> DecodedResponse { try wanted(name, maybePart(name)) }

  package func maybePart(_ name: String) throws -> DecodedResponse? {
    try member(name) { $0.object == nil ? nil : DecodedResponse($0) }
  }

  package func maybeList<Element>(
    _ name: String, _ read: (DecodedResponse) throws -> Element
  ) throws -> [Element]? {
    try member(name, \.array)?.map { try read(DecodedResponse($0)) }
  }

  package func list<Element>(_ name: String, _ read: (DecodedResponse) throws -> Element) throws
    -> [Element]
  {
    try wanted(name, maybeList(name, read))
  }

  package func maybeTexts(_ name: String) throws -> [String]? {
    try member(name) { value in
      guard let list = value.array else { return nil }
      let texts = list.compactMap(\.string)
      return texts.count == list.count ? texts : nil
    }
  }

  package func texts(_ name: String) throws -> [String] { try wanted(name, maybeTexts(name)) }

  /// Returns the elements of a response that is itself a list.
  package func elements<Element>(_ read: (DecodedResponse) throws -> Element) throws -> [Element] {
    try wanted("list", value.array).map { try read(DecodedResponse($0)) }
  }
}
