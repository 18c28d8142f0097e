/// Recognises functions of Swift's standard library by names without a module, as backtraces print them.
struct SwiftLibraryNames: Sendable {
  private let types: PatternTable
  private let members: PatternTable
  private let functions: PatternTable

  init(_ file: RuleFile) {
    types = PatternTable(.swiftTypes, of: file)
    members = PatternTable(.swiftMembers, of: file)
    functions = PatternTable(.swiftFunctions, of: file)
  }

  /// The line for `token`, a normalised name; `nil` for any other function.
  func rule(for token: NameBytes) -> CompiledRule? {
    guard token.last == UInt8(ascii: ")") || Self.endsWithAccessor(token) else { return nil }
    var name = Self.withoutTypes(token)
    if name.has("closure in ") { name = name.from(11) }
    // `[A].subscript.read`: code of an array or a dictionary for a protocol.
    var end = name.at(0) == UInt8(ascii: "[") ? Brackets.end(of: name, from: 0) ?? 0 : 0
    let isLiteral = end > 0
    while name.at(end).isIdentifier { end += 1 }
    guard name.at(end) == UInt8(ascii: ".") else { return functions.match(name) }
    let type = isLiteral ? Array("Array.".utf8) : Array(name[...end])
    guard let owner = types.match(type) else { return nil }
    var member = name.from(end)
    // A type within the type: `.Iterator.next()`.
    while Self.isCapital(member.at(1))
      || member.at(1) == UInt8(ascii: "_") && Self.isCapital(member.at(2))
    {
      var next = 1
      while member.at(next).isIdentifier { next += 1 }
      guard member.at(next) == UInt8(ascii: ".") else { break }
      member = member.from(next)
    }
    return members.match(member) ?? (member.at(1).isIdentifier ? nil : owner)
  }

  private static func isCapital(_ byte: UInt8) -> Bool { byte &- 0x41 < 26 }

  /// `Sequence.reduce<T>(_:_:)` as `Sequence.reduce(_:_:)`.
  private static func withoutTypes(_ name: NameBytes) -> NameBytes {
    var output = NameBytes()
    output.reserveCapacity(name.count)
    var index = 0
    while index < name.count {
      if name.has("<T>", at: index) {
        index += 3
      } else {
        output.append(name[index])
        index += 1
      }
    }
    return output
  }

  private static func endsWithAccessor(_ name: NameBytes) -> Bool {
    for ending: StaticString in [
      ".getter", ".setter", ".modify", ".read", ".unsafeAddressor", ".unsafeMutableAddressor",
    ]
    where name.ends(with: ending) { return true }
    return false
  }
}
