internal import CrashModel

/// Hashes of the users of apps, and ids of the sessions in which crashes happened.
enum PersonHash {
  /// The hash of the id of an installation or user, equal for all spellings of a UUID.
  static func hash(of name: String) -> [UInt8] { ReportRow.hash(ofInstall: canonical(name)) }

  /// The canonical spelling of a UUID, in lower case with hyphens and without braces; other names are
  /// unchanged.
  static func canonical(_ name: String) -> String {
    let digits = name.utf8.filter { $0 != UInt8(ascii: "-") && $0 != 0x7b && $0 != 0x7d }
    guard digits.count == 32,
      digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit })
    else { return name }
    var result = ""
    for (index, digit) in String(decoding: digits, as: UTF8.self).lowercased().enumerated() {
      if [8, 12, 16, 20].contains(index) { result.append("-") }
      result.append(digit)
    }
    return result
  }
}

extension CrashReport {
  /// The session in which it happened; empty where the report names none.
  ///
  /// Crashpad and Breakpad have no field for it: their programs set an annotation.
  var sessionID: String {
    let name =
      tags[.session] ?? properties["session_id"] ?? properties["session"] ?? properties["sid"]
    return name.map { PersonHash.canonical(String($0.prefix(SessionBatch.longestText))) } ?? ""
  }

  /// The hash of the installation, or otherwise of the user.
  var person: [UInt8]? {
    [install, user].compactMap(\.self).first { !$0.isEmpty }.map(PersonHash.hash(of:))
  }
}
