/// A line of input that names its file as for llvm-symbolizer: `FILE ADDRESS`, `"FILE" ADDRESS`, `FILE:FILE
/// ADDRESS`, `BUILDID:HEX ADDRESS`, each also after `CODE`.
package struct LookUpLine {
  /// The file in which an address is looked up.
  package enum Module: Hashable {
    case path(String)
    case buildID(String)

    /// Its name in answers.
    package var name: String {
      switch self {
      case .path(let name), .buildID(let name): name
      }
    }
  }

  package let module: Module
  /// The text after the file, up to the next blank; may be empty.
  package let address: ArraySlice<UInt8>

  /// `nil` for a line that names no file.
  package init?(_ line: ArraySlice<UInt8>) {
    var rest = line
    Self.skipBlanks(&rest)
    if Self.take("CODE ", from: &rest) { Self.skipBlanks(&rest) }
    let isBuildID = Self.take("BUILDID:", from: &rest)
    if !isBuildID { _ = Self.take("FILE:", from: &rest) }
    Self.skipBlanks(&rest)
    let word = String(decoding: Self.word(from: &rest) ?? [], as: UTF8.self)
    guard !word.isEmpty else { return nil }
    module = isBuildID ? .buildID(word) : .path(word)
    Self.skipBlanks(&rest)
    address = rest.prefix { !Self.isBlank($0) }
  }

  package static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }

  package static func skipBlanks(_ rest: inout ArraySlice<UInt8>) {
    rest = rest.drop { isBlank($0) }
  }

  package static func take(_ prefix: StaticString, from rest: inout ArraySlice<UInt8>) -> Bool {
    let isThere = prefix.withUTF8Buffer { rest.starts(with: $0) }
    if isThere { rest = rest.dropFirst(prefix.utf8CodeUnitCount) }
    return isThere
  }

  /// Returns the text up to the next blank, or between quotes; `nil` where the second quote is missing.
  package static func word(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      let word = rest.prefix { !isBlank($0) }
      rest = rest.dropFirst(word.count)
      return word
    }
    let word = rest.dropFirst().prefix { $0 != quote }
    guard word.endIndex < rest.endIndex else { return nil }
    rest = rest.dropFirst(word.count + 2)
    return word
  }
}
