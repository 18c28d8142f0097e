internal import Bytes

/// The property list that describes a bundle to Apple's systems: `Info.plist`.
///
/// Source: Apple, "Information Property List".
struct InformationList {
  let list: PropertyList
  private let archive: AppArchive
  private let member: String

  init(_ member: String, in archive: AppArchive) throws(AppPackageError) {
    guard let entry = archive[member] else { throw archive.error(member, "it is missing") }
    let bytes = try archive.contents(of: entry)
    list = try archive.reading(member) { () throws(ParseError) in
      try PropertyList(parsing: bytes)
    }
    guard case .dictionary = list else { throw archive.error(member, "no dictionary") }
    self.archive = archive
    self.member = member
  }

  /// The text of a key; `nil` if the key is missing or empty.
  ///
  /// - Throws: ``AppPackageError`` for a control character, or a text longer than a name may be.
  func text(_ key: String) throws(AppPackageError) -> String? {
    guard let text = list[key]?.text?.trimmed, !text.isEmpty else { return nil }
    try AppText.check(text, key) { archive.error(member, $0) }
    return text
  }

  /// - Throws: ``AppPackageError`` also where the key is missing.
  func wanted(_ key: String) throws(AppPackageError) -> String {
    guard let text = try text(key) else { throw archive.error(member, "no \(key)") }
    return text
  }
}

/// Checks names, identifiers and versions, so that they can be shown, stored and put into headers.
enum AppText {
  /// - Parameter error: Makes the error from a reason.
  static func check(
    _ text: String, _ key: String, error: (String) -> AppPackageError
  ) throws(AppPackageError) {
    if text.unicodeScalars.contains(where: \.isControl) {
      throw error("a control character in \(key)")
    }
    if text.utf8.count > AppPackageLimits.nameBytes {
      throw error("\(key) of \(text.utf8.count) bytes; at most \(AppPackageLimits.nameBytes)")
    }
  }
}

extension String {
  /// The text without surrounding whitespace.
  var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
