/// Names of files that are not finished, or meant for nobody.
enum IgnoredNames {
  /// Suffixes that programs give a file while they write or fetch it.
  static let suffixes = [".tmp", ".part", ".partial", ".crdownload", ".download"]

  /// Hidden ones, those with one of the ``suffixes``, and what editors leave.
  static func contains(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    guard let first = name.first, let last = name.last else { return true }
    if first == UInt8(ascii: ".") || last == UInt8(ascii: "~") { return true }
    return suffixes.contains { suffix in
      name.count > suffix.utf8.count && name.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }
  }
}
