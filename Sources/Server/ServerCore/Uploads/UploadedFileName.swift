/// The names that clients give to the files of releases.
package enum UploadedFileName {
  /// Maximum length in bytes.
  private static let limit = 200

  /// Returns the last component of a path in any notation, without characters that cannot be printed. The end
  /// of a long name is kept: the file name extension identifies the type.
  package static func last(in path: String) -> String {
    let last = path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
    let printable = String(last.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f })
    guard printable.utf8.count > limit else { return printable }
    var end = printable[...]
    while end.utf8.count > limit { end.removeFirst() }
    return String(end)
  }
}
