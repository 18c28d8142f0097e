internal import Bytes
internal import Crypto

/// The names of members in an archive.
enum ArchiveNames {
  /// Bytes after which a part of a table ends.
  static let partBytes = 4 << 20

  /// `tables/reports/000001.ndjson`
  static func part(_ number: Int, of table: String) -> String {
    let digits = String(number)
    return "tables/\(table)/" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
      + ".ndjson"
  }

  /// `intake/17.json`, the description of a submission, and `intake/17`, its unchanged bytes.
  static func submission(_ id: Int) -> (facts: String, body: String) {
    ("intake/\(id).json", "intake/\(id)")
  }

  /// `contents/ab/ab12...`, `debug-files/ab12...`
  static func content(_ digest: [UInt8], isPlain: Bool) -> String {
    let name = SHA256.hex(digest)
    return isPlain ? "debug-files/\(name)" : "contents/\(name.prefix(2))/\(name)"
  }

  /// The digest in the name of a content; `nil` for any other name.
  static func digest(of name: String) -> (digest: [UInt8], isPlain: Bool)? {
    guard let last = name.split(separator: "/").last, last.utf8.count == 64,
      let digest = [UInt8](hexadecimal: last)
    else { return nil }
    return [false, true].first { content(digest, isPlain: $0) == name }.map { (digest, $0) }
  }
}
